import { sql } from 'kysely'
import { SOLD, type Direction } from '#core/orders/order.ts'
import { type LapseReason, type SaleValue } from '#core/orders/sale/sale-rule.ts'
import { winChance } from '#core/orders/sale/sale-price.ts'
import type { Instant } from '#core/time/instant.ts'
import type { SettledOrder } from '#server/platform/runtime/events.ts'
import type { Db } from '#server/platform/database/tables.ts'
import { type SettledColumns, toSettledOrder } from '#server/trading/engine/settled-orders.queries.ts'

/** A decided sale request, with the end of the tick log at its decision. */
export interface DecidedRequest {
  readonly orderId: string
  readonly userId: string
  readonly n: number
  readonly decidedAt: Instant
  readonly headQ: number
}

/** The columns that are copied from the open order into the order history. */
const ORDER_COLUMNS = sql.raw(
  [
    'user_id, id, client_order_id, trx, symbol_id, trade_setting_id, seconds, direction, stake, profit_basis_points',
    'rule_version, entry_seq, entry_price, entry_time_ms, entry_source, opened_ms, expires_ms, head_seq, received_ms',
    'terms_n, max_tick_age_ms, entry_ref, evidence',
  ].join(', '),
)

/**
 * Carries a sale out in one statement. The order moves to the history only while it is being sold by this request, so
 * an order is sold or settled once. Returns the sold order, or null when another server has decided the request.
 */
export async function sellOrder(
  db: Db,
  { orderId, userId, n, decidedAt, headQ }: DecidedRequest,
  sale: SaleValue & { readonly direction: Direction },
): Promise<SettledOrder | null> {
  const { tick, movement, leftMs, chances, payment, direction } = sale
  const { gross, fee, paid } = payment
  const { rows } = await sql<SettledColumns>`
    with taken as (
      delete from open_order where id = ${orderId}::uuid and user_id = ${userId}::uuid and selling = ${n}::int4
      returning *),
    credited as (
      update balance b set cash = b.cash + ${paid}::int8, staked = b.staked - t.stake, open_orders = b.open_orders - 1,
        results = b.results + 1, net_total = b.net_total + ${paid}::int8 - t.stake, stake_total = b.stake_total + t.stake
      from taken t where b.user_id = t.user_id
      returning b.currency, b.cash, b.results),
    moved as (
      insert into transfer (user_id, ref, step, kind, from_account, to_account, currency, amount, created_ms)
      select t.user_id, t.id, m.step, m.kind, m.from_account, m.to_account, c.currency, m.amount, ${decidedAt}::int8
      from taken t cross join credited c cross join lateral (values
        ('close', 'order_sold', 'staked', 'house:trading', t.stake),
        ('sale', 'order_sale', 'house:trading', 'cash', ${gross}::int8),
        ('sale_fee', 'order_sale_fee', 'cash', 'house:fees', ${fee}::int8)
      ) as m (step, kind, from_account, to_account, amount) where m.amount > 0),
    sale as (
      insert into sale_end (order_id, n, user_id, tick_seq, tick_ref, received_ms, movement, left_ms, win, same, stake, gross, fee, paid,
        decided_ms, head_seq)
      select t.id, ${n}::int4, t.user_id, ${tick.q}::int8, ${tick.ref}::int8, ${tick.receivedMs}::int8, ${String(movement)}::numeric,
        ${leftMs}::int8, ${winChance(chances, direction)}::int8, ${chances.same}::int8, t.stake, ${gross}::int8,
        ${fee}::int8, ${paid}::int8, ${decidedAt}::int8, ${headQ}::int8
      from taken t)
    insert into order_history (${ORDER_COLUMNS}, result, result_amount, balance_after, exit_seq, exit_price, exit_time_ms,
      settled_ms, result_number)
    select ${ORDER_COLUMNS}, ${SOLD}::int2, ${paid}::int8 - t.stake, c.cash, ${tick.q}::int8, ${tick.price}::int8,
      ${tick.timeMs}::int8, ${decidedAt}::int8, c.results
    from taken t cross join credited c
    returning user_id, id, trx, client_order_id, symbol_id, direction, stake, entry_price, exit_price, result,
      result_amount, balance_after, void_reason, result_number`.execute(db)
  const [row] = rows
  return row === undefined ? null : toSettledOrder(row)
}

/** Ends a request without a sale, so that the order continues. Returns false when another server has decided it. */
export async function lapseRequest(
  db: Db,
  { orderId, userId, n, decidedAt, headQ }: DecidedRequest,
  reason: LapseReason,
): Promise<boolean> {
  const { numAffectedRows } = await sql`
    with kept as (
      update open_order set selling = null
      where id = ${orderId}::uuid and user_id = ${userId}::uuid and selling = ${n}::int4 returning id, user_id)
    insert into sale_end (order_id, n, user_id, reason, decided_ms, head_seq)
    select id, ${n}::int4, user_id, ${reason}, ${decidedAt}::int8, ${headQ}::int8 from kept`.execute(db)
  return numAffectedRows === 1n
}
