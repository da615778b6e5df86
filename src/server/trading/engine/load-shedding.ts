/**
 * Refuses a share of the orders while more come than can be settled: the more, the nearer it is to too many. To take all until
 * it is too much, and none from then on, would be to have too much and too little to do by turns, as what is refused now would have been
 * settled only later.
 */
export class Admission {
  /** Of an order. */
  #owed = 0

  /** Whether to refuse this one. `pressure`: 0 (or less) takes all, 1 (or more) none, and between them that share is refused, evenly. */
  refuses(pressure: number): boolean {
    this.#owed = pressure <= 0 ? 0 : this.#owed + Math.min(1, pressure)
    if (this.#owed < 1) return false
    this.#owed -= 1
    return true
  }
}
