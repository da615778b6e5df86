/** The number one in fixed-point arithmetic with units of 10^-9. */
export const UNIT = 1_000_000_000n

/** The largest whole number whose square is at most `value`, which is not negative. */
export function squareRoot(value: bigint): bigint {
  // The float is close, and Newton's rule with whole numbers goes down to the root from any number above it.
  let root = BigInt(Math.floor(Math.sqrt(Number(value)))) + 1n
  while (root * root < value) root *= 2n
  while (root * root > value) root = (root + value / root) / 2n
  return root
}
