import { type RawBuilder, sql } from 'kysely'
import type { Period } from '#server/platform/database/period.ts'
import type { Db } from '#server/platform/database/tables.ts'

interface OpenedLast {
  /** The SQL conditions on an order `o`. They must include the user. */
  readonly wanted: RawBuilder<unknown>
  readonly limit: number
  /** The period in which the wanted orders were opened. */
  readonly period: Period
  /** Opening time of the last order of the previous page, in milliseconds since 1970; null for the first page. */
  readonly after: number | null
}

/**
 * Returns SQL that selects settled orders of one user, for use in a `from` clause. It yields at least the first `limit`
 * of the `wanted` orders, latest opening first, and some more rows.
 *
 * A user's orders are indexed by settlement time, and no order is settled before it is opened. In any subset of the
 * wanted orders, the `limit`th opening is no later than the `limit`th of all wanted orders. So each order of the page
 * was settled at or after the opening of the subset's `limit`th order. Orders settled during the read do not change
 * this.
 *
 * The subset is the orders settled last before the page's position in the list. An index finds it quickly, however many
 * later orders exist. The subset has twice `limit` orders, because long orders were opened long before they settled.
 * With fewer orders, the only bound is the start of the period. Orders settled after the page's orders are read as
 * well, so a page far down the list takes longer.
 *
 * The time bound is queried first, and it tells the planner how few rows there are. `offset 0` makes the planner find
 * these rows before sorting. It would otherwise scan the orders of all users, newest first.
 */
export async function ordersByOpening(
  db: Db,
  { wanted, limit, period, after }: OpenedLast,
): Promise<RawBuilder<unknown>> {
  const from = period.from ?? 0
  const until = Math.min(after ?? Number.MAX_SAFE_INTEGER, period.until ?? Number.MAX_SAFE_INTEGER)
  const { rows } = await sql<{ opened_ms: bigint }>`
    select opened_ms from (
      select o.opened_ms from order_history o
      where ${wanted} and o.settled_ms between ${from}::int8 and ${until}::int8
      order by o.settled_ms desc limit ${2 * limit}
    ) last order by opened_ms desc offset ${limit - 1} limit 1`.execute(db)
  const since = rows[0]?.opened_ms ?? from
  return sql`(select * from order_history o where ${wanted} and o.settled_ms >= ${since}::int8 offset 0)`
}
