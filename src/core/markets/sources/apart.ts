import type { Price } from '#core/money/price.ts'

/** A distance between two prices, stated twice; the larger one counts. */
export interface PriceDistance {
  /** Hundredths of a percent of the smaller price. */
  readonly bp: number
  /** Tick sizes. At a price of 73 units one tick size is already 1.4 percent. */
  readonly ticks: number
}

/** Whether two prices are further apart than the limit, both in percent and in tick sizes. Exact. */
export function isFurtherApart(a: Price, b: Price, { bp, ticks }: PriceDistance): boolean {
  const difference = Math.abs(a - b)
  return difference > ticks && BigInt(difference) * 10_000n > BigInt(Math.min(a, b)) * BigInt(bp)
}

/** Whether `to` is at least as near to `price` as `than` is. */
export function isAsNear(price: Price, to: Price, than: Price): boolean {
  return Math.abs(price - to) <= Math.abs(price - than)
}
