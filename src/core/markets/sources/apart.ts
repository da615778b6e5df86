import type { Price } from '#core/money/price.ts'

/** Whether two prices are further apart than so many hundredths of a percent of the smaller one. Exact. */
export function isFurtherApart(a: Price, b: Price, basisPoints: number): boolean {
  const difference = BigInt(Math.abs(a - b))
  return difference * 10_000n > BigInt(Math.min(a, b)) * BigInt(basisPoints)
}

/** Whether `to` is at least as near to `price` as `than` is. */
export function isAsNear(price: Price, to: Price, than: Price): boolean {
  return Math.abs(price - to) <= Math.abs(price - than)
}
