import type { OfferedTerms } from '#core/markets/terms/offered-terms.ts'
import { type Money, shareHalfEven } from '#core/money/money.ts'

/** An order with the maximum stake of a duration, and the profit that it could win. */
export interface MaxStakeOrder {
  readonly seconds: number
  readonly profit: Money
}

/** Lists an order with the maximum stake for each offered duration, the shortest duration first. */
export function maxStakeOrders(
  settings: readonly Pick<OfferedTerms, 'seconds' | 'maximum' | 'payout'>[],
): MaxStakeOrder[] {
  return settings
    .map(({ seconds, maximum, payout }) => ({ seconds, profit: shareHalfEven(maximum, payout) }))
    .toSorted((a, b) => a.seconds - b.seconds)
}

/** The first order that a cap would refuse even if no order were open. Null when the cap allows each order alone. */
export function firstAbove(orders: readonly MaxStakeOrder[], maximum: Money): MaxStakeOrder | null {
  return orders.find(({ profit }) => profit > maximum) ?? null
}
