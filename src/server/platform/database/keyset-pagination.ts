import { type RawBuilder, type SelectQueryBuilder, sql } from 'kysely'
import { z } from 'zod'
import { isUuid } from '#core/ids/uuid.ts'

/** The sort columns of the last row that was read. Rows after it are the next page. */
export type Cursor = readonly (string | number | boolean | null)[]

export interface Page {
  /** The last row of the previous page. Null for the first page. */
  readonly after: Cursor | null
  readonly limit: number
}

type KeysetType = 'int4' | 'int8' | 'uuid' | 'text'

/** The order of a list: its sort columns or expressions, which together are unique. */
export interface Keyset {
  readonly columns: readonly (readonly [column: string | RawBuilder<unknown>, type: KeysetType])[]
  readonly order: 'asc' | 'desc'
}

/** Puts a query in the order of the list, and limits it to the page. */
export function pageAfter<DB, TB extends keyof DB, O>(
  query: SelectQueryBuilder<DB, TB, O>,
  keyset: Keyset,
  { after, limit }: Page,
): SelectQueryBuilder<DB, TB, O> {
  let page = query.limit(limit)
  if (after !== null) page = page.where(afterCursor(keyset, after))
  for (const [column] of keyset.columns) page = page.orderBy(expressionOf(column), keyset.order)
  return page
}

/** SQL condition for the rows after the cursor. No row is after a forged cursor. */
export function afterCursor({ columns, order }: Keyset, cursor: Cursor): RawBuilder<boolean> {
  if (!columns.every(([, type], nth) => isOfType(cursor[nth], type))) return sql<boolean>`false`
  const place = sql.join(columns.map(([column]) => expressionOf(column)))
  const values = sql.join(columns.map(([, type], nth) => sql`${cursor[nth]}::${sql.raw(type)}`))
  return sql<boolean>`(${place}) ${order === 'asc' ? sql`>` : sql`<`} (${values})`
}

function expressionOf(column: string | RawBuilder<unknown>): RawBuilder<unknown> {
  return typeof column === 'string' ? sql.ref(column) : column
}

function isOfType(value: Cursor[number] | undefined, type: KeysetType): boolean {
  switch (type) {
    case 'int4':
      return typeof value === 'number' && Math.trunc(value) === value && Math.abs(value) < 2 ** 31
    case 'int8':
      return Number.isSafeInteger(value)
    case 'uuid':
      return typeof value === 'string' && isUuid(value)
    case 'text':
      // PostgreSQL has no text with a null character.
      return typeof value === 'string' && !value.includes('\0')
  }
}

const Values = z.array(z.union([z.string().max(200), z.number(), z.boolean(), z.null()])).max(6)

export function writeCursor(values: Cursor): string {
  return Buffer.from(JSON.stringify(values)).toString('base64url')
}

/** Parses a cursor; null when it is invalid. */
export function readCursor(text: string): Cursor | null {
  try {
    return Values.safeParse(JSON.parse(Buffer.from(text, 'base64url').toString('utf8'))).data ?? null
  } catch {
    // The text is not JSON: it was typed by hand or cut off.
    return null
  }
}
