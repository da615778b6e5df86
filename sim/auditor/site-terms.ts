import { basisPoints, money } from '#core/money/money.ts'
import type { ListedSymbol, TradeSetting } from '#server/market-data/catalogue/market-catalogue.ts'
import { BTC, ONE_MINUTE } from '#test/support/market-fixtures.ts'

/** The symbols of the simulated site. */
export const SYMBOLS: readonly ListedSymbol[] = [
  BTC,
  { ...BTC, id: 2, code: 'ETH', productId: 'ETHUSDT', name: 'Ether', decimals: 4, maxTickAgeMs: 8_000 },
]

/** Short durations and uneven payouts, so that rounding has an effect. */
export const SETTINGS: readonly TradeSetting[] = [
  { ...ONE_MINUTE, id: 1, seconds: 5, minimum: money(100n), payout: basisPoints(8_333) },
  { ...ONE_MINUTE, id: 2, seconds: 15, minimum: money(100n), payout: basisPoints(7_777) },
  { ...ONE_MINUTE, id: 3, seconds: 30, minimum: money(100n), payout: basisPoints(9_250) },
]

/** Payments above this amount need two approvals. */
export const TWO_PEOPLE_ABOVE = money(100_000n)
export const LIMITS = { mode: 'demo', twoPeopleAbove: TWO_PEOPLE_ABOVE, onePersonDaily: money(1_000_000_000n) } as const

/** The maximum age of a price that settles orders of a symbol. */
export function ageOf(symbolId: number): number {
  return SYMBOLS.find(({ id }) => id === symbolId)?.maxTickAgeMs ?? 0
}
