import { type Money, ZERO, money, shareHalfEven } from '#core/money/money.ts'
import type { Price } from '#core/money/price.ts'
import { BUY, DRAW, LOSE, type OrderResult, type SettledFacts, type VoidReason, WIN } from '#core/orders/order.ts'

/** The price that settles an order, or why there is none. */
export type SettlementPrice =
  | { readonly kind: 'price'; readonly exitPrice: Price }
  | { readonly kind: 'void'; readonly reason: VoidReason }

export interface Settled {
  readonly result: OrderResult
  /** What goes back to the user's cash: the stake and the profit on a win, the stake on a draw, nothing on a loss. */
  readonly credit: Money
  /** The house's part of `credit`: stake × payout, rounded half-even. Zero unless the order won. */
  readonly profit: Money
  /** Net change of the user's money over the whole order: + profit, − stake, or 0. */
  readonly netChange: Money
}

/**
 * Settles an order by rule version 1. A pure function of the order and the price: it is not told whose order it is,
 * so it cannot treat two users differently. Buy wins above the entry, sell wins below it, equal is a draw.
 */
export function settleOrder(order: SettledFacts, price: SettlementPrice): Settled {
  const result = price.kind === 'void' ? DRAW : resultOf(order, price.exitPrice)
  if (result === LOSE) return { result, credit: ZERO, profit: ZERO, netChange: money(-order.stake) }
  const profit = result === WIN ? shareHalfEven(order.stake, order.payout) : ZERO
  return { result, credit: money(order.stake + profit), profit, netChange: profit }
}

function resultOf(order: SettledFacts, exitPrice: Price): OrderResult {
  if (exitPrice === order.entryPrice) return DRAW
  const endedAbove = exitPrice > order.entryPrice
  return endedAbove === (order.direction === BUY) ? WIN : LOSE
}
