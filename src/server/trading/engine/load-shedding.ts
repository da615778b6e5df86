/**
 * Refuses a share of the orders while more arrive than can be settled. The share grows with the load. An all-or-nothing threshold would
 * alternate between overload and idleness, because a refused order would have been settled only later.
 */
export class LoadShedder {
  /** The fraction of an order that is still to be refused. */
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
