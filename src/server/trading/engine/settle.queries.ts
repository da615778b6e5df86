import { type RawBuilder, sql } from 'kysely'
import { money } from '#core/money/money.ts'
import { DRAW, LOSE, VOID, WIN } from '#core/orders/order.ts'
import type { Instant } from '#core/time/instant.ts'
import type { Db } from '#server/platform/database/tables.ts'
import { type SettledRow, type CreditedOrder, byUser } from '#server/trading/engine/due-order.ts'
import { pricesOfOrder } from '#server/trading/engine/due-orders.queries.ts'
import { heldShards, type SettleGuard } from '#server/trading/engine/held-shards.queries.ts'

/** Selects the settled orders as rows. `place` is the position in the batch, from 1. */
const settledRows = (orders: readonly SettledRow[]) => sql`
  select * from unnest(
    ${orders.map((order) => order.userId)}::uuid[],
    ${orders.map((order) => order.orderId)}::uuid[],
    ${orders.map((order) => order.settled.result)}::int2[],
    ${orders.map((order) => order.settled.credit)}::int8[],
    ${orders.map((order) => order.settled.profit)}::int8[],
    ${orders.map((order) => order.settled.netChange)}::int8[]
  ) with ordinality as t(user_id, id, result, credit, profit, result_amount, place)`

/**
 * Selects each order that is still open, with the price of its expiry. Orders without a price or balance, or with an
 * undecided sale request, are left out.
 */
const openOrders = sql`
  select i.*, o.*
  from input i
  cross join lateral (
    select o.ctid as tid, b.currency, coalesce(p.exit_seq, d.exit_seq) as exit_seq, coalesce(p.exit_price, d.exit_price) as exit_price,
      coalesce(p.exit_time_ms, d.exit_time_ms) as exit_time_ms, coalesce(p.void_reason, d.void_reason) as void_reason
    from open_order o
    join balance b on b.user_id = o.user_id
    ${pricesOfOrder}
    where o.id = i.id and (o.user_id = i.user_id) is true and o.selling is null and (p.symbol_id is not null or d.symbol_id is not null) limit 1
  ) o`

/** Removes the open orders, so that each is settled once. */
const removedOrders = (isOurs: RawBuilder<unknown>) => sql`
  delete from open_order o using found f where o.ctid = f.tid ${isOurs}
  returning o.*, f.result, f.credit, f.profit, f.result_amount, f.place, f.currency, f.exit_seq, f.exit_price, f.exit_time_ms,
    f.void_reason`

/**
 * Sums the credit, the stakes and the number of the settled orders for each user. The rows are in order of user id,
 * which is the order of locking.
 */
const sumsPerUser = sql`
  select user_id, sum(credit)::int8 as credit, sum(stake)::int8 as stakes, count(*)::int4 as orders,
    sum(result_amount)::int8 as net, sum(case when result = ${VOID}::int2 then 0 else stake end)::int8 as counted
  from taken group by user_id order by user_id`

/** Credits each user. Returns the cash and the number of results that the user had before the batch. */
const creditedBalances = sql`
  update balance b
  set cash = b.cash + s.credit, staked = b.staked - s.stakes, open_orders = b.open_orders - s.orders,
    results = b.results + s.orders, net_total = b.net_total + s.net, stake_total = b.stake_total + s.counted
  from sums s where b.user_id = s.user_id
  returning b.user_id, b.cash - s.credit as cash_before, b.results - s.orders as results_before`

/** Inserts the transfers of each order: the stake, and the profit of a win. */
const transfers = (now: Instant) => sql`
  insert into transfer (user_id, ref, step, kind, from_account, to_account, currency, amount, created_ms)
  select user_id, id, 'close',
    case result when ${WIN}::int2 then 'order_win' when ${LOSE}::int2 then 'order_lose'
         when ${DRAW}::int2 then 'order_draw' when ${VOID}::int2 then 'order_void' end,
    'staked', case when credit > 0 then 'cash' else 'house:trading' end, currency, stake, ${now}::int8
  from taken
  union all
  select user_id, id, 'profit', 'order_profit', 'house:trading', 'cash', currency, profit, ${now}::int8
  from taken where profit > 0`

/** Inserts each order into the history, with the user's balance and the number of results after it. */
const settledOrders = (now: Instant) => sql`
  insert into order_history (user_id, id, client_order_id, trx, symbol_id, trade_setting_id, seconds, direction, stake,
    profit_basis_points, rule_version, entry_seq, entry_price, entry_time_ms, entry_source, opened_ms, expires_ms,
    head_seq, received_ms, terms_n, max_tick_age_ms, entry_ref, evidence, result, result_amount, balance_after, exit_seq, exit_price, exit_time_ms, void_reason, settled_ms,
    result_number)
  select t.user_id, t.id, t.client_order_id, t.trx, t.symbol_id, t.trade_setting_id, t.seconds, t.direction, t.stake,
    t.profit_basis_points, t.rule_version, t.entry_seq, t.entry_price, t.entry_time_ms, t.entry_source, t.opened_ms,
    t.expires_ms, t.head_seq, t.received_ms, t.terms_n, t.max_tick_age_ms, t.entry_ref, t.evidence, t.result, t.result_amount,
    c.cash_before + sum(t.credit) over those_before,
    t.exit_seq, t.exit_price, t.exit_time_ms, t.void_reason, ${now}::int8,
    c.results_before + row_number() over those_before
  from taken t full join credited c on c.user_id = t.user_id
  window those_before as (partition by t.user_id order by t.place)
  returning id, balance_after, result_number`

/**
 * Settles a batch in one statement. An order moves to the history only if it was still open, so two settlers, a retry
 * or a restart settle it once. The order's user also needs a balance to credit. With a guard, this node must hold the
 * lease of the order's shard. The statement posts the transfers, credits each balance once and numbers each result.
 * Returns the orders this call settled, unsorted, with the balance after each order and the number of its result.
 *
 * Rows are sorted by user, so that all statements lock in the same order and neighbouring index entries are written
 * together. `docs/reference/hot-path-sql.md` explains `lateral`, `is true` and `full join`.
 */
export async function settleBatch(
  db: Db,
  batch: readonly SettledRow[],
  now: Instant,
  guard: SettleGuard | null = null,
): Promise<CreditedOrder[]> {
  const orders = batch.toSorted(byUser)
  const isOurs = guard === null ? sql`` : sql`and o.symbol_id % ${guard.shards}::int4 in (select share from held)`
  const { rows } = await sql<{ id: string; balance_after: bigint; result_number: bigint }>`
    with ${guard === null ? sql`` : sql`${heldShards(guard)},`} input as (${settledRows(orders)}),
    found as (${openOrders}),
    taken as (${removedOrders(isOurs)}),
    sums as materialized (${sumsPerUser}),
    credited as (${creditedBalances}),
    moved as (${transfers(now)}),
    history as (${settledOrders(now)})
    select id, balance_after, result_number from history`.execute(db)
  return rows.map((row) => ({
    orderId: row.id,
    balanceAfter: money(row.balance_after),
    resultNumber: Number(row.result_number),
  }))
}
