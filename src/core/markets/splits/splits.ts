import type { CivilDay } from '#core/markets/calendar/civil-day.ts'
import { newYorkDay, newYorkInstant } from '#core/markets/calendar/new-york-time.ts'
import { nextSession } from '#core/markets/calendar/sessions.ts'
import type { Candle } from '#core/markets/candle.ts'
import { mulDivHalfEven } from '#core/money/decimal.ts'
import type { Price, Volume } from '#core/money/price.ts'
import type { Instant } from '#core/time/instant.ts'

/**
 * A stock split: `newShares` for every `oldShares`. Three-for-one is 3 and 1, a one-for-ten reverse split is 1 and 10.
 */
export interface Split {
  readonly newShares: number
  readonly oldShares: number
  /** The opening of the first session in which the stock trades at prices after the split. */
  readonly effectiveAt: Instant
}

/** 10,000: more than any real split. The product of several ratios stays exact. */
export const MAX_SPLIT_SHARES = 10_000

/** Returns the opening of the US stock session on a New York day, or null when the exchange is closed that day. */
export function splitTakesEffectAt(day: CivilDay): Instant | null {
  const { open } = nextSession('us_stocks', newYorkInstant(day, 0))
  return newYorkDay(open) === day ? open : null
}

/** A published split. For each day, only the newest version is in force. */
export interface SplitVersion extends Split {
  readonly version: number
}

/** Lists the splits in force, ascending: the newest version for each instant, without one-for-one splits. */
export function splitsInForce(versions: readonly SplitVersion[]): Split[] {
  const newest = new Map<Instant, SplitVersion>()
  for (const one of versions) {
    if (one.version > (newest.get(one.effectiveAt)?.version ?? -1)) newest.set(one.effectiveAt, one)
  }
  return [...newest.values()]
    .filter(({ newShares, oldShares }) => newShares !== oldShares)
    .toSorted((a, b) => a.effectiveAt - b.effectiveAt)
    .map(({ newShares, oldShares, effectiveAt }) => ({ newShares, oldShares, effectiveAt }))
}

/**
 * Whether a split takes effect after `from` and no later than `to`, so that prices of the two instants differ in basis.
 */
export function hasSplitBetween(splits: readonly Split[], from: Instant, to: Instant): boolean {
  return splits.some(({ effectiveAt }) => from < effectiveAt && effectiveAt <= to)
}

/**
 * Converts a price of `from` to the basis of the later instant `to`, by the exact integer ratio. The result is rounded
 * once, half to even, to the tick size, and is at least one. For comparisons only: no order is settled by it.
 */
export function priceOnBasis(price: Price, from: Instant, to: Instant, splits: readonly Split[]): Price {
  const { newShares, oldShares } = ratioBetween(splits, from, to)
  const units = mulDivHalfEven(BigInt(price), oldShares, newShares)
  return Math.max(1, asSafeInteger(units)) as Price
}

/**
 * Converts a candle to the basis of the later instant `to`. A split scales prices down and volume up; a reverse split
 * does the opposite.
 */
export function candleOnBasis(candle: Candle, to: Instant, splits: readonly Split[]): Candle {
  const { openTime, open, high, low, close, volume } = candle
  if (!hasSplitBetween(splits, openTime, to)) return candle
  const { newShares, oldShares } = ratioBetween(splits, openTime, to)
  const price = (value: Price) => priceOnBasis(value, openTime, to, splits)
  const traded = asSafeInteger(mulDivHalfEven(BigInt(volume), newShares, oldShares)) as Volume
  return { openTime, open: price(open), high: price(high), low: price(low), close: price(close), volume: traded }
}

function ratioBetween(splits: readonly Split[], from: Instant, to: Instant) {
  let [newShares, oldShares] = [1n, 1n]
  for (const split of splits) {
    if (!hasSplitBetween([split], from, to)) continue
    newShares *= BigInt(split.newShares)
    oldShares *= BigInt(split.oldShares)
  }
  return { newShares, oldShares }
}

function asSafeInteger(units: bigint): number {
  return Number(units > BigInt(Number.MAX_SAFE_INTEGER) ? Number.MAX_SAFE_INTEGER : units)
}
