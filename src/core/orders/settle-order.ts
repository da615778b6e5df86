import { type Money, ZERO, money, shareHalfEven } from '#core/money/money.ts'
import type { Price } from '#core/money/price.ts'
import {
  BUY,
  type DecidedResult,
  DRAW,
  LOSE,
  type SettledFacts,
  VOID,
  type VoidReason,
  WIN,
} from '#core/orders/order.ts'

/** The price that settles an order, or the reason why no price does and the order is void. */
export type SettlementPrice =
  | { readonly kind: 'price'; readonly exitPrice: Price }
  | { readonly kind: 'void'; readonly reason: VoidReason }

export interface Settled {
  readonly result: DecidedResult
  /**
   * The amount credited to the user's cash: stake and profit on a win, the stake on a draw or void, nothing on a loss.
   */
  readonly credit: Money
  /** The part of `credit` that the house pays: stake × payout, rounded half-even. Zero unless the order won. */
  readonly profit: Money
  /** Net change of the user's money over the whole order: + profit, − stake, or 0. */
  readonly netChange: Money
}

/** Buy wins above the entry, sell wins below it, an equal price is a draw. Without a price the order is void. */
export function settleAgainstEntry(order: SettledFacts, price: SettlementPrice): Settled {
  const result = price.kind === 'void' ? VOID : resultOf(order, price.exitPrice)
  if (result === LOSE) return { result, credit: ZERO, profit: ZERO, netChange: money(-order.stake) }
  const profit = result === WIN ? shareHalfEven(order.stake, order.payout) : ZERO
  return { result, credit: money(order.stake + profit), profit, netChange: profit }
}

function resultOf(order: SettledFacts, exitPrice: Price): DecidedResult {
  if (exitPrice === order.entryPrice) return DRAW
  const isExitAbove = exitPrice > order.entryPrice
  return isExitAbove === (order.direction === BUY) ? WIN : LOSE
}
