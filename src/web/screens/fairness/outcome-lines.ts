import type { FairnessOrders } from '#contract/fairness.ts'

/** How the orders of one expiry and payout ended, for one symbol or several. */
export interface OutcomeLine extends Omit<FairnessOrders, 'symbol'> {
  readonly key: string
}

/** Returns the lines of one symbol, or the sums over all symbols for `null`. Lines with too few users come last. */
export function outcomeLines(orders: readonly FairnessOrders[], symbol: string | null): OutcomeLine[] {
  const lines = new Map<string, OutcomeLine>()
  for (const order of orders) {
    if (symbol !== null && order.symbol !== symbol) continue
    const { symbol: _, ...figures } = order
    const key = `${order.seconds}/${order.payout}`
    const before = lines.get(key)
    lines.set(key, before === undefined ? { key, ...figures } : added(before, order))
  }
  return [...lines.values()].toSorted(
    (a, b) => (a.seconds ?? Infinity) - (b.seconds ?? Infinity) || (a.payout ?? 0) - (b.payout ?? 0),
  )
}

function added(line: OutcomeLine, order: FairnessOrders): OutcomeLine {
  return {
    ...line,
    wins: line.wins + order.wins,
    losses: line.losses + order.losses,
    draws: line.draws + order.draws,
    voids: line.voids + order.voids,
  }
}
