/** 5 s: while settling is more than this behind, no order is accepted. Each order would delay results further. */
export const MAX_SETTLEMENT_LAG_MS = 5_000
/** 2.5 s: when settling is more than this behind, a share of the orders is refused, which grows with the delay. */
const EASILY_BEHIND_MS = 2_500

/**
 * Practice orders are refused from half the load on at which the first orders of money are refused, so that practice
 * never delays money.
 */
export const PRACTICE_ROOM = 0.5

/** Returns which share of the orders to refuse while settling is behind. 0 or less refuses none, 1 or more refuses all. */
export function lagPressure(settlementLagMs: number): number {
  return (settlementLagMs - EASILY_BEHIND_MS) / (MAX_SETTLEMENT_LAG_MS - EASILY_BEHIND_MS)
}

/**
 * Refuses a share of the orders while more orders arrive than the server can settle. The share grows with the load. A
 * single threshold would alternate between overload and idleness, because refusing an order reduces the load only
 * later, when the order would have been settled.
 */
export class LoadShedder {
  /** The sum of the shares that are not yet refused. At 1, an order is refused. */
  #owed = 0

  /**
   * Whether to refuse this order. At `pressure` 0 or less no order is refused, at 1 or more every order. In between,
   * `pressure` is the share of refused orders, evenly spread.
   */
  refuses(pressure: number): boolean {
    this.#owed = pressure <= 0 ? 0 : this.#owed + Math.min(1, pressure)
    if (this.#owed < 1) return false
    this.#owed -= 1
    return true
  }
}
