import type { SourceClass } from '#core/markets/source-class.ts'
import type { PriceGroup } from '#core/orders/rules/price-group.ts'
import type { Row } from './specs.ts'

/**
 * The group of orders that share a decided price with this order if they expire at the same time. Undefined under rule
 * 1.
 */
export function groupOf(order: Row): PriceGroup | undefined {
  const rule = Number(order['rule_version'])
  if (rule === 1) return undefined
  return {
    rule,
    source: String(order['entry_source']),
    maxTickAgeMs: Number(order['max_tick_age_ms']),
    evidence: order['evidence'] as SourceClass,
  }
}

/** The table and the key of the price that settles an order. */
export function priceOf(order: Row): { readonly table: 'settlement_price' | 'decided_price'; readonly key: string } {
  const group = groupOf(order)
  const expiry = `${String(order['symbol_id'])}|${String(order['expires_ms'])}|`
  if (group === undefined) return { table: 'settlement_price', key: expiry }
  const { source, maxTickAgeMs, rule, evidence } = group
  return { table: 'decided_price', key: `${expiry}${source}|${maxTickAgeMs}|${rule}|${evidence}|` }
}
