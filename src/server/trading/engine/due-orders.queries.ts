import { sql } from 'kysely'
import { price } from '#core/money/price.ts'
import { type VoidReason } from '#core/orders/order.ts'
import { instant } from '#core/time/instant.ts'
import type { SourceClass } from '#core/markets/source-class.ts'
import type { PriceGroup } from '#core/orders/rules/price-group.ts'
import type { Db } from '#server/platform/database/tables.ts'
import type { DueKey } from '#server/trading/engine/due-index.ts'
import type { DueOrder } from '#server/trading/engine/due-order.ts'
import { toSettledFacts } from '#server/trading/engine/settled-facts.ts'

/**
 * Joins the price that settles the order `o`: `p` under rule 1, else `d`. Each join uses the complete key, so each
 * look-up finds one row or none.
 */
export const pricesOfOrder = sql.raw(`
  left join settlement_price p on o.rule_version = 1 and p.symbol_id = o.symbol_id and p.expires_ms = o.expires_ms
  left join decided_price d on o.rule_version > 1 and d.symbol_id = o.symbol_id and d.expires_ms = o.expires_ms
    and d.source = o.entry_source and d.max_tick_age_ms = o.max_tick_age_ms and d.rule = o.rule_version
    and d.evidence = o.evidence`)

/**
 * Loads at most `limit` open orders of these expiries, with their stored price. An order with an undecided sale request
 * is left out until that request is decided. The database does not sort the orders, because then it would read all of
 * them for each batch.
 */
export async function loadDueOrders(db: Db, keys: readonly DueKey[], limit: number): Promise<DueOrder[]> {
  const { rows } = await sql<{
    user_id: string
    id: string
    trx: string
    client_order_id: string
    symbol_id: number
    direction: number
    stake: bigint
    profit_basis_points: number
    entry_price: bigint
    expires_ms: bigint
    rule_version: number
    opened_ms: bigint
    entry_seq: bigint
    entry_time_ms: bigint
    head_seq: bigint | null
    exit_price: bigint | null
    void_reason: VoidReason | null
    entry_source: string
    entry_ref: bigint | null
    max_tick_age_ms: number | null
    evidence: SourceClass | null
    terms_n: bigint | null
  }>`
    select o.user_id, o.id, o.trx, o.client_order_id, o.symbol_id, o.direction, o.stake, o.profit_basis_points, o.entry_price, o.expires_ms,
      o.rule_version, o.opened_ms, o.entry_seq, o.entry_time_ms, o.head_seq, o.entry_source, o.entry_ref, o.max_tick_age_ms, o.evidence,
      o.terms_n, coalesce(p.exit_price, d.exit_price) as exit_price, coalesce(p.void_reason, d.void_reason) as void_reason
    from (select distinct * from unnest(${keys.map((key) => key.symbolId)}::int4[], ${keys.map((key) => key.expiresAt)}::int8[])
      as due(symbol_id, expires_ms)) due
    join open_order o on o.symbol_id = due.symbol_id and o.expires_ms = due.expires_ms
    ${pricesOfOrder}
    where (p.symbol_id is not null or d.symbol_id is not null) and o.selling is null
    limit ${limit}`.execute(db)
  const orders = rows.map(
    (row): DueOrder => ({
      userId: row.user_id,
      orderId: row.id,
      trx: row.trx,
      clientOrderId: row.client_order_id,
      symbolId: row.symbol_id,
      facts: toSettledFacts(row),
      group: groupOf(row),
      price:
        row.exit_price === null
          ? { kind: 'void', reason: row.void_reason ?? 'no_tick_before_expiry' }
          : { kind: 'price', exitPrice: price(row.exit_price) },
      openedAt: instant(row.opened_ms),
      entrySeq: Number(row.entry_seq),
      entryTime: instant(row.entry_time_ms),
      entryRef: row.entry_ref === null ? null : Number(row.entry_ref),
      termsN: row.terms_n === null ? null : Number(row.terms_n),
      headSeq: row.head_seq === null ? null : Number(row.head_seq),
    }),
  )
  return orders.toSorted((a, b) => a.facts.expiresAt - b.facts.expiresAt || (a.orderId < b.orderId ? -1 : 1))
}

/** Returns the price group of an order. Undefined under rule 1. */
export function groupOf(row: {
  readonly rule_version: number
  readonly entry_source: string
  readonly max_tick_age_ms: number | null
  readonly evidence: SourceClass | null
}): PriceGroup | undefined {
  const { rule_version: rule, entry_source: source, max_tick_age_ms: maxTickAgeMs, evidence } = row
  return rule === 1 || maxTickAgeMs === null || evidence === null ? undefined : { rule, source, maxTickAgeMs, evidence }
}
