import { type Money, money } from '#core/money/money.ts'
import type { Price } from '#core/money/price.ts'
import type { OrderResult, SettledFacts } from '#core/orders/order.ts'
import { settleOrder } from '#core/orders/rules/rules.ts'
import type { SettlementPrice } from '#core/orders/settle-order.ts'
import { type Instant, later } from '#core/time/instant.ts'

/** A trade as the public record of its source has it. */
export interface RecordTrade {
  /** The source's number. Null where prices are computed. */
  readonly ref: number | null
  readonly price: Price
  readonly time: Instant
}

/** The trades of a record around an expiry: the last price up to it, and the first one after it. */
export interface RecordReading {
  readonly last: RecordTrade | null
  readonly next: RecordTrade | null
}

/** Reads the prices around an expiry from the record's prices, ascending. Null while the record may still get an earlier one. */
export function readingOf(
  { prices, isNewest }: { readonly prices: readonly RecordTrade[]; readonly isNewest: boolean },
  expiresAt: Instant,
): RecordReading | null {
  const nextAt = prices.findIndex(({ time }) => time > expiresAt)
  if (nextAt === -1 && !isNewest) return null
  const before = nextAt === -1 ? prices : prices.slice(0, nextAt)
  return { last: toTrade(before.at(-1)), next: toTrade(prices[nextAt]) }
}

/** A record has volumes too, which decide nothing. */
function toTrade(trade: RecordTrade | undefined): RecordTrade | null {
  return trade === undefined ? null : { ref: trade.ref, price: trade.price, time: trade.time }
}

/** The price that settles the orders of an expiry by the record. */
export function priceByRecord({ last }: RecordReading, expiresAt: Instant, maxTickAgeMs: number): SettlementPrice {
  if (last === null || last.time < later(expiresAt, -maxTickAgeMs))
    return { kind: 'void', reason: 'no_trade_before_expiry' }
  return { kind: 'price', exitPrice: last.price }
}

/** Whether a record agrees with a stored decision. */
export function agrees(one: SettlementPrice, other: SettlementPrice): boolean {
  if (one.kind === 'void' || other.kind === 'void') return one.kind === other.kind
  return one.exitPrice === other.exitPrice
}

/** The result of an order by the record, and what its user would have got in addition. Null when it would not have been more. */
export function missedByUser(
  order: SettledFacts,
  settledBy: SettlementPrice,
  byRecord: SettlementPrice,
): { readonly result: OrderResult; readonly amount: Money } | null {
  const before = settleOrder(order, settledBy)
  const after = settleOrder(order, byRecord)
  const amount = money(after.credit - before.credit)
  return amount > 0n ? { result: after.result, amount } : null
}

/** The waits of questions to a record. A demo shortens them. */
export interface RecordWaits {
  /** Two readings that agree are at least this far apart. */
  readonly betweenReadingsMs: number
  /** Questions without a reply are repeated after `betweenReadingsMs` for this long, then after `laterMs`. */
  readonly oftenForMs: number
  readonly laterMs: number
}

/** The first reading of a record. */
export interface FirstReading {
  readonly at: Instant
  readonly reading: string
}

/** When a record is asked next about an expiry. `requestedAt` is null before the first question. */
export function nextQuestionAt(
  { notedAt, requestedAt }: { readonly notedAt: Instant; readonly requestedAt: Instant | null },
  waits: RecordWaits,
): Instant {
  if (requestedAt === null) return notedAt
  const isOften = requestedAt < later(notedAt, waits.oftenForMs)
  return later(requestedAt, isOften ? waits.betweenReadingsMs : waits.laterMs)
}

/** Compares a reading with the first one. A record counts as read when it says the same again after the wait. */
export function compareReadings(
  first: FirstReading | null,
  reading: string | null,
  { now, betweenReadingsMs }: { readonly now: Instant; readonly betweenReadingsMs: number },
): { readonly first: FirstReading | null; readonly isRead: boolean } {
  if (reading === null) return { first, isRead: false }
  if (first?.reading !== reading) return { first: { at: now, reading }, isRead: false }
  return { first, isRead: now >= later(first.at, betweenReadingsMs) }
}
