import type { Price } from '#core/money/price.ts'

/**
 * A maximum distance between two prices, in two units. A distance exceeds this maximum only if it is larger in both
 * units.
 */
export interface PriceDistance {
  /** Hundredths of a percent of the smaller price. */
  readonly bp: number
  /** In tick sizes. This second limit serves low prices: one tick size is 1.4 % of a price of 73 units. */
  readonly ticks: number
}

/** The smallest distance that a configuration can set for spikes. */
export const MIN_SPIKE_LIMIT: PriceDistance = { bp: 1, ticks: 0 }

/** Whether the distance of two prices exceeds the limit both in percent and in tick sizes. Computed exactly. */
export function isFartherThan(a: Price, b: Price, { bp, ticks }: PriceDistance): boolean {
  const difference = Math.abs(a - b)
  return difference > ticks && BigInt(difference) * 10_000n > BigInt(Math.min(a, b)) * BigInt(bp)
}

/** Whether `to` is at least as near to `price` as `than` is. */
export function isAsNear(price: Price, to: Price, than: Price): boolean {
  return Math.abs(price - to) <= Math.abs(price - than)
}
