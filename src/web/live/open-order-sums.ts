import { basisPoints, type Money, shareHalfEven, ZERO } from '#core/money/money.ts'
import { BUY } from '#core/orders/order.ts'
import { moneyOf } from '#web/i18n/amounts.ts'
import type { PlacedOrder } from '#web/live/placed-order.ts'

/** The stakes of open orders, and the profit that is possible with these orders. */
interface OpenOrderSums {
  readonly staked: Money
  /** The profit if every order wins. The profit of each order is rounded as in settlement. */
  readonly allRight: Money
  /** Symbols with orders, and the stake on Buy minus the stake on Sell. */
  readonly differences: ReadonlyMap<string, Money>
}

/** Adds up open orders in whole cents. */
export function sumOpenOrders(orders: readonly PlacedOrder[]): OpenOrderSums {
  let [staked, allRight] = [ZERO, ZERO]
  const differences = new Map<string, Money>()
  for (const order of orders) {
    const stake = moneyOf(order.stake)
    staked = (staked + stake) as Money
    allRight = (allRight + shareHalfEven(stake, basisPoints(Math.round(order.payout * 100)))) as Money
    const side = order.direction === BUY ? stake : -stake
    differences.set(order.symbol, ((differences.get(order.symbol) ?? ZERO) + side) as Money)
  }
  return { staked, allRight, differences }
}
