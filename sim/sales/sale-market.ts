import type { Random } from '../kernel/random.ts'

/** The market moves every half second by a step of uniform size, and has no memory. */
export const STEP_MS = 500
const STEP_SIZE = 300
const START = 6_000_000
/** The variance of a uniform whole step. */
const STEP_VARIANCE = (STEP_SIZE * (STEP_SIZE + 1)) / 3

/** A market in which every price is known to have the same chance to rise as to fall. */
export class SaleMarket {
  readonly #random: Random
  #units = START

  constructor(random: Random) {
    this.#random = random
  }

  get units(): number {
    return this.#units
  }

  step(): number {
    this.#units += this.#random.integer(-STEP_SIZE, STEP_SIZE)
    return this.#units
  }
}

/**
 * The expected amount from an order that is kept, as a share of its stake, for a user who sees the market at this
 * price.
 */
export function worthOf(
  order: { isBuy: boolean; entry: number; payout: number },
  units: number,
  leftMs: number,
): number {
  const deviation = Math.sqrt((STEP_VARIANCE * Math.max(leftMs, STEP_MS)) / STEP_MS)
  const above = normalBelow((units - order.entry) / deviation)
  return (1 + order.payout) * (order.isBuy ? above : 1 - above)
}

/** The normal distribution, by a series: at most 1.5·10^-7 off. */
function normalBelow(x: number): number {
  const z = Math.abs(x) / Math.SQRT2
  const t = 1 / (1 + 0.3275911 * z)
  const series = ((((1.061405429 * t - 1.453152027) * t + 1.421413741) * t - 0.284496736) * t + 0.254829592) * t
  const share = 1 - (series * Math.exp(-z * z)) / 2
  return x < 0 ? 1 - share : share
}
