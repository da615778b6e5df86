import { sql } from 'kysely'
import { BASE_CURRENCY } from '#core/ledger/transfer.ts'
import { type Money, money } from '#core/money/money.ts'
import { fitsLimitWindows } from '#server/ledger/limit-windows.ts'
import type { Db } from '#server/platform/database/tables.ts'
import type { PlannedOrder } from '#server/trading/engine/planned-order.ts'
import { firstOfClientId, orderRows, acceptedRows } from '#server/trading/engine/order-rows.ts'

/** The user's own limits and breaks, for all orders of the user together. Read only for users who have some. */
const fitsOwnRules = sql`(b.closed_until_ms is null or a.first_opened_ms >= b.closed_until_ms)
  and (b.self_stake_max is null or a.largest <= b.self_stake_max)
  and ${fitsLimitWindows(sql`a.stakes`, sql`a.first_opened_ms`)}`

/**
 * Accepts, in one statement, all orders of each user whose balance and limits cover all of them. That is nearly every user. Orders of other
 * users are not accepted; `acceptBatch` has to decide them one by one. Returns the user's cash after each order, by position in the list,
 * and null for orders not accepted.
 *
 * This costs the database a third less than deciding each order. The update itself locks a balance, which also stores what its user may do.
 * It changes the balance only if all the user's orders fit, so no running total is needed. Balances are updated in id order, because two
 * batches would deadlock otherwise. PostgreSQL checks the conditions again on a balance that another transaction has just changed. Marks
 * of own limits may be older than the balance: an older list only makes a window longer.
 */
export async function acceptWholeUsers(
  db: Db,
  orders: readonly PlannedOrder[],
  maxOpenOrders: number,
): Promise<(Money | null)[]> {
  const { rows } = await sql<{ user_id: string; cash_before: bigint }>`
    with input as materialized (${orderRows(orders)}),
    asked as materialized (
      select user_id, sum(stake)::int8 as stakes, count(*)::int4 as orders, max(stake) as largest,
        min(opened_ms) as first_opened_ms, bool_or(${firstOfClientId} is not null) as repeats
      from input i group by user_id order by user_id
    ),
    debited as (
      update balance b
      set cash = b.cash - a.stakes, staked = b.staked + a.stakes, open_orders = b.open_orders + a.orders
      from asked a
      where not a.repeats and b.user_id = a.user_id and b.currency = ${BASE_CURRENCY} and b.cash >= a.stakes
        and b.open_orders + a.orders <= ${maxOpenOrders} and b.may_trade
        and (b.max_stake is null or a.largest <= b.max_stake)
        and (b.max_open_stake is null or b.staked + a.stakes <= b.max_open_stake)
        and (not b.self_rules or (${fitsOwnRules}))
      returning b.user_id, b.cash + a.stakes as cash_before
    ),
    good as materialized (select i.* from input i join debited d on d.user_id = i.user_id),
    ${acceptedRows}
    select user_id, cash_before from debited`.execute(db)
  const cash = new Map(rows.map((row) => [row.user_id, money(row.cash_before)]))
  return orders.map(({ userId, stake }) => {
    const before = cash.get(userId)
    if (before === undefined) return null
    const after = money(before - stake)
    cash.set(userId, after)
    return after
  })
}
