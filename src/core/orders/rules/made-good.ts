import { type Money, money } from '#core/money/money.ts'
import type { Price } from '#core/money/price.ts'
import type { OrderResult, SettledFacts } from '#core/orders/order.ts'
import { settleOrder } from '#core/orders/rules/rules.ts'
import type { SettlementPrice } from '#core/orders/settle-order.ts'
import type { JudgedRecord } from '#core/markets/sources/judge-record.ts'
import { type Instant, later } from '#core/time/instant.ts'

/** A trade according to the public history of its source. */
export interface RecordTrade {
  /** The source's number of the trade. Null when the source computes its prices. */
  readonly ref: number | null
  readonly price: Price
  readonly time: Instant
}

/**
 * The prices of a source's history around an expiry: the last one up to the expiry, and the first one after the expiry.
 */
export interface RecordReading {
  readonly last: RecordTrade | null
  readonly next: RecordTrade | null
  /** The entries of orders that the history contradicts, by ascending number. */
  readonly entries: readonly ContradictedEntry[]
}

/** The number and price of the trade that was the entry of orders, according to the log. */
export interface NumberedEntry {
  readonly ref: number
  readonly price: Price
  readonly time: Instant
}

/** An entry that the source's history contradicts. */
export interface ContradictedEntry {
  /** The provider's number of the entry tick, according to the log. */
  readonly of: number
  /** The entry price of the order according to the history. */
  readonly trade: RecordTrade & { readonly ref: number }
}

/**
 * Finds the prices around an expiry among the ascending prices of a history. Null when the history has no price after
 * the expiry and may not be complete yet.
 */
export function readingOf(
  { prices, isNewest }: { readonly prices: readonly RecordTrade[]; readonly isNewest: boolean },
  expiresAt: Instant,
): RecordReading | null {
  const nextAt = prices.findIndex(({ time }) => time > expiresAt)
  if (nextAt === -1 && !isNewest) return null
  const before = nextAt === -1 ? prices : prices.slice(0, nextAt)
  return { last: toTrade(before.at(-1)), next: toTrade(prices[nextAt]), entries: [] }
}

/**
 * Compares an entry with the source's history. By the history, the entry is the trade with the same number. When the
 * source has no such trade, or the trade has no price, the last price before its number is the entry. A price that only
 * our rules leave out contradicts nothing. Returns 'agrees', the contradiction, or null when the history does not reach
 * the entry.
 */
export function compareEntry(
  { prices, leftOut }: Pick<JudgedRecord, 'prices' | 'leftOut'>,
  entry: NumberedEntry,
): ContradictedEntry | 'agrees' | null {
  const same = prices.find(({ ref }) => ref === entry.ref)
  if (same !== undefined) return same.price === entry.price ? 'agrees' : contradicted(entry, same)
  const range = leftOut.find(({ from, to }) => from <= entry.ref && entry.ref <= to)
  if (range === undefined) return null
  if (range.why === 'back' || range.why === 'spike') return 'agrees'
  const before = prices.findLast(({ ref }) => ref !== null && ref < entry.ref)
  return before === undefined ? null : contradicted(entry, before)
}

function contradicted(entry: NumberedEntry, { ref, price, time }: RecordTrade): ContradictedEntry | null {
  return ref === null ? null : { of: entry.ref, trade: { ref, price, time } }
}

/** The volumes of a history are dropped, because they decide nothing. */
function toTrade(trade: RecordTrade | undefined): RecordTrade | null {
  return trade === undefined ? null : { ref: trade.ref, price: trade.price, time: trade.time }
}

/** Returns the price that settles the orders of an expiry, according to the source's history, or why they are void. */
export function priceByRecord(
  { last }: Pick<RecordReading, 'last'>,
  expiresAt: Instant,
  maxTickAgeMs: number,
): SettlementPrice {
  if (last === null || last.time < later(expiresAt, -maxTickAgeMs))
    return { kind: 'void', reason: 'no_trade_before_expiry' }
  return { kind: 'price', exitPrice: last.price }
}

/** Whether the decision by the source's history agrees with a stored decision. */
export function agrees(one: SettlementPrice, other: SettlementPrice): boolean {
  if (one.kind === 'void' || other.kind === 'void') return one.kind === other.kind
  return one.exitPrice === other.exitPrice
}

/**
 * The result of an order by the source's history, and the amount that the user would have received in addition. Null
 * when the user would have received no more. `entryPrice` is the entry price by the history.
 */
export function missedByUser(
  order: SettledFacts,
  settledBy: SettlementPrice,
  byRecord: SettlementPrice,
  entryPrice = order.entryPrice,
): { readonly result: OrderResult; readonly amount: Money } | null {
  const before = settleOrder(order, settledBy)
  const after = settleOrder({ ...order, entryPrice }, byRecord)
  const amount = money(after.credit - before.credit)
  return amount > 0n ? { result: after.result, amount } : null
}

/** The waiting times between requests for a source's history. A demo shortens them. */
export interface RecordWaits {
  /** Minimum time between the two equal readings that make a history count as read. */
  readonly betweenReadingsMs: number
  /**
   * For this long, a request without a reply is repeated after `betweenReadingsMs`. After that, it is repeated after
   * `laterMs`.
   */
  readonly oftenForMs: number
  readonly laterMs: number
}

/** The first reading of a source's history. */
export interface FirstReading {
  readonly at: Instant
  readonly reading: string
}

/**
 * Returns the time of the next request for the history around an expiry. `requestedAt` is null before the first
 * request.
 */
export function nextQuestionAt(
  { notedAt, requestedAt }: { readonly notedAt: Instant; readonly requestedAt: Instant | null },
  waits: RecordWaits,
): Instant {
  if (requestedAt === null) return notedAt
  const isOften = requestedAt < later(notedAt, waits.oftenForMs)
  return later(requestedAt, isOften ? waits.betweenReadingsMs : waits.laterMs)
}

/**
 * Compares a reading with the first one. A history counts as read when a second reading, at least `betweenReadingsMs`
 * later, is equal.
 */
export function compareReadings(
  first: FirstReading | null,
  reading: string | null,
  { now, betweenReadingsMs }: { readonly now: Instant; readonly betweenReadingsMs: number },
): { readonly first: FirstReading | null; readonly isRead: boolean } {
  if (reading === null) return { first, isRead: false }
  if (first?.reading !== reading) return { first: { at: now, reading }, isRead: false }
  return { first, isRead: now >= later(first.at, betweenReadingsMs) }
}
