import { type RawBuilder, sql } from 'kysely'
import type { Period } from '#server/platform/database/period.ts'
import type { Db } from '#server/platform/database/tables.ts'

interface OpenedLast {
  /** Conditions on an order `o`. The user is one of them. */
  readonly wanted: RawBuilder<unknown>
  readonly limit: number
  /** When the wanted ones were opened. */
  readonly period: Period
  /** When the last one that was read before these was opened, in milliseconds since 1970; null at the start of the list. */
  readonly after: number | null
}

/**
 * Settled orders of one user, to be read from: the first `limit` of the `wanted` ones by when they were opened, the last first, and some more.
 *
 * A user's orders are indexed by when they were settled, and none is settled before it is opened. In any part of the wanted ones the
 * `limit`th was opened no later than the `limit`th of all, so none of those looked for was settled before that one was opened; none
 * that is settled meanwhile either. The part is what was settled last by the time that the list has come to: that is found at once,
 * however many came later. It is twice as many, as some ran for long and were opened long before the others. Where there are not
 * enough, all that is known is when the period begins. What was settled after those looked for is read as well: a page far down a
 * list takes longer.
 *
 * The time is asked first, and the planner knows by it how few they are. `offset 0` has it find them before they are put in order: it would
 * sooner look through everybody's orders, newest first.
 */
export async function openedLast(db: Db, { wanted, limit, period, after }: OpenedLast): Promise<RawBuilder<unknown>> {
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
