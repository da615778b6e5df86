import type { BasisPoints, Money } from '#core/money/money.ts'
import type { Price } from '#core/money/price.ts'
import type { Instant } from '#core/time/instant.ts'

/** 1 buy (wins when the price ends above entry), 2 sell (wins when it ends below). */
export type Direction = 1 | 2
export const BUY: Direction = 1
export const SELL: Direction = 2

/**
 * 1 win, 2 lose, 3 draw (the price ended where it began), 4 void (prices were missing), 5 sold back before the expiry.
 */
export type OrderResult = 1 | 2 | 3 | 4 | 5
/** A result that the price of the expiry decides. */
export type DecidedResult = Exclude<OrderResult, 5>
export const WIN = 1
export const LOSE = 2
export const DRAW = 3
export const VOID = 4
export const SOLD = 5

/**
 * Why an order was void. Only missing prices can void an order. The first two apply under rule 1 and to sources without
 * numbered trades. The others apply under rule 2 to sources with numbered trades.
 */
export const VOID_REASONS = [
  'no_tick_before_expiry',
  'no_price_after_expiry',
  'no_trade_before_expiry',
  'history_unavailable',
  'history_contradicts',
] as const
export type VoidReason = (typeof VOID_REASONS)[number]

/** Whether an order was void because the public history of its source did not decide it. */
export function isWithoutHistory(reason: VoidReason | null): reason is 'history_unavailable' | 'history_contradicts' {
  return reason === 'history_unavailable' || reason === 'history_contradicts'
}

/** The facts of an order that its settlement depends on. The user is not one of them. */
export interface SettledFacts {
  /** The version of the rules under which the order was accepted. */
  readonly ruleVersion: number
  readonly direction: Direction
  readonly stake: Money
  readonly payout: BasisPoints
  readonly entryPrice: Price
  readonly expiresAt: Instant
}

export function readDirection(value: number): Direction {
  if (value === 1 || value === 2) return value
  throw new Error(`not a direction: ${value}`)
}

export function readDecidedResult(value: number): DecidedResult {
  const result = readResult(value)
  if (result !== SOLD) return result
  throw new Error('a sold order has no result at its expiry')
}

export function readResult(value: number): OrderResult {
  if (value === 1 || value === 2 || value === 3 || value === 4 || value === 5) return value
  throw new Error(`not a result: ${value}`)
}
