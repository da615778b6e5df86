import type { Cursor } from '#server/platform/database/keyset-pagination.ts'
import { csvLine } from '#server/platform/http/csv.ts'

export type ReadRows = (
  after: Cursor | null,
  limit: number,
) => Promise<readonly { readonly row: unknown; readonly cursor: Cursor }[]>

interface FileOptions {
  /** Whether the file begins with a byte-order mark. */
  readonly hasMark: boolean
  readonly rowsPerRead: number
  readonly maxRows: number
}

/**
 * Yields the whole list as CSV, read in portions, so that it is never in memory as a whole. A list with more rows than
 * `maxRows` ends with a line that says so, and then fails, so that the download breaks off and no file looks whole.
 */
export async function* csvLines(
  columns: readonly string[],
  read: ReadRows,
  { hasMark, rowsPerRead, maxRows }: FileOptions,
): AsyncGenerator<string> {
  // The byte-order mark makes spreadsheets read UTF-8. Other programs would read the mark as a part of the first
  // column's name.
  yield `${hasMark ? '\uFEFF' : ''}${csvLine(columns)}`
  let after: Cursor | null = null
  for (let count = 0; count < maxRows; ) {
    const found = await read(after, Math.min(rowsPerRead, maxRows - count))
    for (const { row } of found) {
      const cells = new Map(Object.entries(row as object))
      yield csvLine(columns.map((column) => cells.get(column)))
    }
    count += found.length
    after = found.at(-1)?.cursor ?? null
    if (found.length === 0) return
  }
  if ((await read(after, 1)).length === 0) return
  yield csvLine([`This file is not complete: it ends after ${maxRows} rows. Choose a shorter period.`])
  throw new Error(`a file of a list has more than ${maxRows} rows`)
}
