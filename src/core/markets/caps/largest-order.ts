import type { OfferedTerms } from '#core/markets/terms/offered-terms.ts'
import { type Money, shareHalfEven } from '#core/money/money.ts'

/** What an order with the largest stake of a duration would win. */
export interface LargestOrder {
  readonly seconds: number
  readonly profit: Money
}

/** Lists the durations on offer, the shortest first. */
export function largestOrders(
  settings: readonly Pick<OfferedTerms, 'seconds' | 'maximum' | 'payout'>[],
): LargestOrder[] {
  return settings
    .map(({ seconds, maximum, payout }) => ({ seconds, profit: shareHalfEven(maximum, payout) }))
    .toSorted((a, b) => a.seconds - b.seconds)
}

/** The first order that no empty site could take under a cap. Null when every single order fits. */
export function firstAbove(orders: readonly LargestOrder[], most: Money): LargestOrder | null {
  return orders.find(({ profit }) => profit > most) ?? null
}
