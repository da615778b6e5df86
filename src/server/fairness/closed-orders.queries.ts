import { sql } from 'kysely'
import type { Db } from '#server/db/tables.ts'
import type { ClosedOrder } from '#server/fairness/order-tally.ts'

export interface TimedOrder extends ClosedOrder {
  readonly settledMs: number
}

/** So few at once that nobody who waits for the database notices. */
const PORTION = 5_000

/** All orders that were closed from one instant up to another, portion by portion, the oldest first. */
export async function* closedOrders(
  db: Db,
  { since, until, portion = PORTION }: { readonly since: number; readonly until: number; readonly portion?: number },
): AsyncGenerator<TimedOrder[]> {
  for (let from = since; from < until; ) {
    const ahead = await sql<{ time: bigint }>`
      select settled_ms as time from order_history where settled_ms >= ${from}::int8 and settled_ms < ${until}::int8
      order by settled_ms limit 1 offset ${portion}`.execute(db)
    const next = ahead.rows[0]
    // All orders of one millisecond go together, however many they are.
    const to = next === undefined ? until : Math.max(Number(next.time), from + 1)
    const { rows } = await sql<TimedOrder>`
      select user_id as "userId", symbol_id as "symbolId", seconds, profit_basis_points as "profitBasisPoints", result,
        void_reason is not null as "isVoid", result_amount as "resultAmount",
        (settled_ms - expires_ms)::float8 as "lateMs", (opened_ms - received_ms)::float8 as "acceptedInMs",
        settled_ms::float8 as "settledMs"
      from order_history where settled_ms >= ${from}::int8 and settled_ms < ${to}::int8`.execute(db)
    yield rows
    from = to
  }
}
