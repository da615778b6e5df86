import type { OfferedTerms } from '#core/markets/terms/offered-terms.ts'
import { type Money, shareHalfEven } from '#core/money/money.ts'

/** An order with the maximum stake of a duration, and the profit that it could win. */
export interface MaxStakeOrder {
  readonly seconds: number
  readonly profit: Money
}

/** Lists the durations on offer, the shortest first. */
export function maxStakeOrders(
  settings: readonly Pick<OfferedTerms, 'seconds' | 'maximum' | 'payout'>[],
): MaxStakeOrder[] {
  return settings
    .map(({ seconds, maximum, payout }) => ({ seconds, profit: shareHalfEven(maximum, payout) }))
    .toSorted((a, b) => a.seconds - b.seconds)
}

/** The first order that no empty site could take under a cap. Null when every single order fits. */
export function firstAbove(orders: readonly MaxStakeOrder[], maximum: Money): MaxStakeOrder | null {
  return orders.find(({ profit }) => profit > maximum) ?? null
}
