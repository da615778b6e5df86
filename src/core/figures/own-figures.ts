import { type DecidedOrders, type HitRate, hitRate } from '#core/figures/hit-rate.ts'
import { DRAW, LOSE, type OrderResult, VOID, WIN } from '#core/orders/order.ts'

/** Orders of one day, symbol, duration and result. */
export interface OrderGroup {
  /** Days since 1970-01-01, in the zone of the figures. */
  readonly day: number
  readonly symbolId: number
  readonly seconds: number
  readonly result: OrderResult
  readonly orders: number
  readonly staked: bigint
  readonly net: bigint
  /** Σ stake × (10,000 + payout in basis points). */
  readonly returns: bigint
}

/**
 * Figures of some orders. Sold orders are neither wins nor losses nor draws. Void orders count as orders, but not as
 * stakes, because their stakes were returned.
 */
export interface OrderFigures {
  readonly orders: number
  readonly wins: number
  readonly losses: number
  readonly draws: number
  readonly voids: number
  readonly staked: bigint
  readonly net: bigint
  readonly hit: HitRate | null
}

/** Adds up groups of orders to their common figures. */
export function orderFigures(groups: readonly OrderGroup[]): OrderFigures {
  const of = (result: OrderResult): OrderGroup[] => groups.filter((group) => group.result === result)
  const count = (some: readonly OrderGroup[]): number => some.reduce((sum, { orders }) => sum + orders, 0)
  const [won, lost, voids] = [of(WIN), of(LOSE), of(VOID)]
  const [wins, losses] = [count(won), count(lost)]
  const decided = [...won, ...lost]
  const sums: DecidedOrders = {
    wins,
    losses,
    wonStakes: total(won, 'staked'),
    stakes: total(decided, 'staked'),
    returns: total(decided, 'returns'),
  }
  const orders = count(groups)
  return {
    orders,
    wins,
    losses,
    voids: count(voids),
    draws: count(of(DRAW)),
    staked: total(groups, 'staked') - total(voids, 'staked'),
    net: total(groups, 'net'),
    hit: hitRate(sums),
  }
}

function total(groups: readonly OrderGroup[], name: 'staked' | 'net' | 'returns'): bigint {
  return groups.reduce((sum, group) => sum + group[name], 0n)
}

/** Computes the figures for each value of a key of the groups, such as the day, in ascending order of the key. */
export function figuresBy(
  groups: readonly OrderGroup[],
  keyOf: (group: OrderGroup) => number,
): { readonly key: number; readonly figures: OrderFigures }[] {
  const byKey = new Map<number, OrderGroup[]>()
  for (const group of groups) {
    const key = keyOf(group)
    const some = byKey.get(key)
    if (some === undefined) byKey.set(key, [group])
    else some.push(group)
  }
  return [...byKey]
    .toSorted(([one], [other]) => one - other)
    .map(([key, some]) => ({ key, figures: orderFigures(some) }))
}
