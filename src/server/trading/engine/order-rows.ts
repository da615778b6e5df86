import { type RawBuilder, sql } from 'kysely'
import type { PlannedOrder } from '#server/trading/engine/planned-order.ts'

/** Selects orders as rows, for use in a statement. `place` is the position in the list, from 1. */
export function orderRows(orders: readonly PlannedOrder[]): RawBuilder<unknown> {
  return sql`
    select * from unnest(
      ${orders.map((order) => order.userId)}::uuid[],
      ${orders.map((order) => order.orderId)}::uuid[],
      ${orders.map((order) => order.clientOrderId)}::text[],
      ${orders.map((order) => order.trx)}::text[],
      ${orders.map((order) => order.placement.symbol.id)}::int4[],
      ${orders.map((order) => order.placement.terms.id)}::int4[],
      ${orders.map((order) => order.placement.terms.seconds)}::int4[],
      ${orders.map((order) => order.direction)}::int2[],
      ${orders.map((order) => order.stake)}::int8[],
      ${orders.map((order) => order.placement.terms.payout)}::int4[],
      ${orders.map((order) => order.placement.entry.seq)}::int8[],
      ${orders.map((order) => order.placement.entry.price)}::int8[],
      ${orders.map((order) => order.placement.entry.time)}::int8[],
      ${orders.map((order) => order.placement.entry.source)}::text[],
      ${orders.map((order) => order.placement.openedAt)}::int8[],
      ${orders.map((order) => order.placement.expiresAt)}::int8[],
      ${orders.map((order) => order.head.lastSeq)}::int8[],
      ${orders.map((order) => order.receivedAt)}::int8[],
      ${orders.map((order) => order.placement.terms.termsN)}::int8[],
      ${orders.map((order) => order.maxTickAgeMs)}::int4[],
      ${orders.map((order) => order.placement.terms.rule)}::int4[],
      ${orders.map((order) => order.placement.entry.ref ?? null)}::int8[],
      ${orders.map((order) => order.group?.evidence ?? null)}::text[],
      ${orders.map((order) => order.isAboveCap ?? false)}::bool[]
    ) with ordinality as t(user_id, id, client_order_id, trx, symbol_id, trade_setting_id, seconds, direction, stake,
      profit_basis_points, entry_seq, entry_price, entry_time_ms, entry_source, opened_ms, expires_ms, head_seq,
      received_ms, terms_n, max_tick_age_ms, rule_version, entry_ref, evidence, is_above_cap, place)`
}

/**
 * Inserts each accepted order and the transfer of its stake. Reads the query `good` of the same statement, which names
 * the currency of the balance that pays.
 */
export const acceptedRows = sql`
    opened as (
      insert into open_order (user_id, id, client_order_id, trx, symbol_id, trade_setting_id, seconds, direction, stake,
        profit_basis_points, rule_version, entry_seq, entry_price, entry_time_ms, entry_source, opened_ms, expires_ms,
        head_seq, received_ms, terms_n, max_tick_age_ms, entry_ref, evidence)
      select user_id, id, client_order_id, trx, symbol_id, trade_setting_id, seconds, direction, stake,
        profit_basis_points, rule_version, entry_seq, entry_price, entry_time_ms, entry_source, opened_ms, expires_ms,
        head_seq, received_ms, terms_n, max_tick_age_ms, entry_ref, evidence
      from good
    ),
    moved as (
      insert into transfer (user_id, ref, step, kind, from_account, to_account, currency, amount, created_ms)
      select user_id, id, 'stake', 'order_stake', 'cash', 'staked', currency, stake, opened_ms from good
    )`

/**
 * Not null when an earlier order of the user, open or settled, has the client order id of the row `i`. In the history,
 * `is true` leaves the index on the client order id as the only usable one. When the planner thinks the table is empty,
 * it gives all indexes that begin with the user the same cost. Most of these indexes would read all orders of the user.
 */
export const firstOfClientId = sql.raw(`coalesce(
  (select 1 from open_order o where o.user_id = i.user_id and o.client_order_id = i.client_order_id),
  (select 1 from order_history h where h.client_order_id = i.client_order_id and (h.user_id = i.user_id) is true)
)`)
