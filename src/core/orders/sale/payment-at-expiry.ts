import type { LogLine } from '#core/markets/log-text.ts'
import type { Money } from '#core/money/money.ts'
import { price } from '#core/money/price.ts'
import { priceByRecord, readingOf } from '#core/orders/rules/made-good.ts'
import { decideByLine } from '#core/orders/rules/rule-2.ts'
import { sourceLine } from '#core/orders/rules/source-line.ts'
import type { SaleOrder } from '#core/orders/sale/sale-rule.ts'
import { type SettlementPrice, settleAgainstEntry } from '#core/orders/settle-order.ts'
import { instant } from '#core/time/instant.ts'

/** Only orders of rule 2 can be sold. */
const RULE = 2

/**
 * Computes from the log the payment that a sold order would have made at its expiry. `lines` are the log's lines about
 * the symbol around the expiry. Null without a price after the expiry, and while a trade is missing. Only figures use
 * the result: a sold order has ended and pays nothing more.
 */
export function paymentAtExpiry(order: SaleOrder, lines: readonly LogLine[]): Money | null {
  const end = order.evidence === 'ids' ? endByNumbers(order, lines) : endByTimes(order, lines)
  return end === null ? null : settleAgainstEntry({ ...order, ruleVersion: RULE }, end).credit
}

function endByNumbers(order: SaleOrder, lines: readonly LogLine[]): SettlementPrice | null {
  const decided = decideByLine(sourceLine(lines, order), { ...order, history: { kind: 'none' } })
  if (decided.kind === 'wait') return null
  return decided.kind === 'void' ? decided : { kind: 'price', exitPrice: decided.exit.price }
}

function endByTimes(
  { symbolId, source, expiresAt, maxTickAgeMs }: SaleOrder,
  lines: readonly LogLine[],
): SettlementPrice | null {
  const own = lines
    .flatMap((line) => (line.kind === 't' || line.kind === 'e' ? [line] : []))
    .filter((line) => line.symbolId === symbolId && line.source === source)
    .toSorted((a, b) => a.timeMs - b.timeMs || a.q - b.q)
  const prices = own.map((line) => ({ ref: line.ref, price: price(line.price), time: instant(line.timeMs) }))
  const reading = readingOf({ prices, isNewest: false }, expiresAt)
  return reading && priceByRecord(reading, expiresAt, maxTickAgeMs)
}
