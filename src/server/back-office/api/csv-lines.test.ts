import { expect, it } from 'vitest'
import { csvLines } from '#server/back-office/api/csv-lines.ts'
import type { Cursor } from '#server/platform/database/keyset-pagination.ts'

const LIMITS = { rowsPerRead: 2, maxRows: 4 }

/** Reads a file of a list with this many rows. Returns its lines, and the failure with which it broke off. */
async function fileOf(count: number): Promise<{ readonly lines: readonly string[]; readonly failure: string | null }> {
  const read = (after: Cursor | null, limit: number) => {
    const begin = after === null ? 0 : Number(after[0])
    const rows = Array.from({ length: count }, (_, at) => ({ row: { n: at + 1 }, cursor: [at + 1] }))
    return Promise.resolve(rows.slice(begin, begin + limit))
  }
  const lines: string[] = []
  try {
    for await (const line of csvLines(['n'], read, { hasMark: false, ...LIMITS })) lines.push(line.trim())
  } catch (error) {
    return { lines, failure: String(error) }
  }
  return { lines, failure: null }
}

it('F11: a file has all rows up to the limit', async () => {
  expect(await fileOf(0)).toEqual({ lines: ['n'], failure: null })
  expect(await fileOf(3)).toEqual({ lines: ['n', '1', '2', '3'], failure: null })
  expect(await fileOf(4)).toEqual({ lines: ['n', '1', '2', '3', '4'], failure: null })
})

it('F11: a file with more rows than the limit says so and breaks off, so that it never looks whole', async () => {
  const { lines, failure } = await fileOf(5)
  expect(lines.slice(0, 5)).toEqual(['n', '1', '2', '3', '4'])
  expect(lines.slice(5)).toEqual(['This file is not complete: it ends after 4 rows. Choose a shorter period.'])
  expect(failure).toMatch(/more than 4 rows/)
})
