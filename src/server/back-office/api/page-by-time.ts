import { type RawBuilder, sql } from 'kysely'
import type { Cursor } from '#server/platform/database/cursor.ts'
import type { PaymentSearch } from '#server/back-office/api/search-payments.ts'

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/**
 * SQL condition for rows after the cursor, in ascending (queue) or descending (history) order. A cursor of another list
 * matches no row.
 */
export function afterCursor(alias: 'd' | 'w', [time, id]: Cursor, order: 'asc' | 'desc'): RawBuilder<boolean> {
  if (!Number.isSafeInteger(time) || typeof id !== 'string' || !UUID.test(id)) return sql`false`
  const place = sql`(${sql.ref(`${alias}.created_ms`)}, ${sql.ref(`${alias}.id`)})`
  return sql`${place} ${order === 'asc' ? sql`>` : sql`<`} (${time}::int8, ${id}::uuid)`
}

/** SQL condition for rows that match a search. `amount` is the column that amounts are compared with. */
export function matchesSearch(alias: 'd' | 'w', search: PaymentSearch, amount: string): RawBuilder<boolean> {
  switch (search.by) {
    case 'trx':
      return sql`${sql.ref(`${alias}.trx`)} like ${`${search.start}%`}`
    case 'user':
      return sql`${sql.ref(`${alias}.user_id`)} = ${search.userId}`
    case 'amount':
      return sql`${sql.ref(`${alias}.${amount}`)} = ${search.amount}`
    case 'nothing':
      return sql`false`
  }
}
