import { sql } from 'kysely'
import { type Instant, instant, later } from '#core/time/instant.ts'
import { prepareLongRead } from '#server/platform/database/long-read.queries.ts'
import type { Tx } from '#server/platform/database/tables.ts'
import { NOT_OF_ORDERS } from '#server/ledger/not-of-orders.ts'
import { storeFlowSums, storeOrderSums } from '#server/ledger/reconciliation/checkpoints.queries.ts'

/** Makes the planner find rows by their time index, whatever the table statistics say. */
async function readByIndexes(tx: Tx, { inOrder }: { readonly inOrder: boolean }): Promise<void> {
  const others = inOrder ? 'off' : 'on'
  await prepareLongRead(tx, { enable_seqscan: 'off', enable_bitmapscan: others, enable_sort: others })
}

/**
 * Returns the end of the next portion, which begins at `from`. Between `from` and this time, there are at most
 * `maxRows` rows of each kind: settled orders by opening, settled orders by settlement, and transfers without an order.
 * Returns null when no kind has more rows left.
 *
 * The number of rows bounds a portion, so a gap of years costs nothing, and a busy time after it makes no portion
 * larger. The statement reads only indexes, at a twentieth of the cost of reading the transfers. Its condition on
 * transfers without an order must equal the condition of the index. Otherwise PostgreSQL would not use the index.
 */
export async function findPortionEnd(tx: Tx, from: Instant, maxRows: number): Promise<Instant | null> {
  await readByIndexes(tx, { inOrder: true })
  const { rows } = await sql<{ until: bigint | null }>`
    select least(
      (select opened_ms from order_history where opened_ms >= ${from}::int8
        order by opened_ms limit 1 offset ${maxRows}::int8),
      (select settled_ms from order_history where settled_ms >= ${from}::int8
        order by settled_ms limit 1 offset ${maxRows}::int8),
      (select created_ms from transfer t
        where created_ms >= ${from}::int8 and ${NOT_OF_ORDERS}
        order by created_ms limit 1 offset ${maxRows}::int8)) as until`.execute(tx)
  const until = rows[0]?.until ?? null
  if (until === null) return null
  // A portion is at least one millisecond, even with more than `maxRows` rows in it.
  return instant(Math.max(Number(until), later(from, 1)))
}

/** Adds transfers made and orders settled from `from` until before `until` to the sums of a run. */
export async function addPortion(
  tx: Tx,
  { run, from, until }: { readonly run: bigint; readonly from: Instant; readonly until: Instant },
): Promise<void> {
  await readByIndexes(tx, { inOrder: false })
  const flows = sql`
    select ${run}::int8, user_id, currency, from_account, to_account, sum(amount)::int8, count(*)
    from transfer where created_ms >= ${from}::int8 and created_ms < ${until}::int8
    group by user_id, currency, from_account, to_account`
  await storeFlowSums(flows, { isBegun: true }).execute(tx)
  // `offset 0` keeps this subquery a separate step. Otherwise the planner would prefer an index over all orders,
  // because that index already groups them by user.
  const orders = sql`
    select ${run}::int8, user_id, sum(stake)::int8, sum(greatest(result_amount, 0))::int8,
      sum(greatest(-result_amount, 0))::int8
    from (
      select user_id, stake, result_amount from order_history
      where settled_ms >= ${from}::int8 and settled_ms < ${until}::int8 offset 0
    ) settled group by user_id`
  await storeOrderSums(orders, { isBegun: true }).execute(tx)
}
