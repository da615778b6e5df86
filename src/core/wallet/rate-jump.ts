/**
 * Whether a new rate is within so many percent of another. Rates are integers in millionths. The difference is compared
 * with the older rate, so that a limit of 5 means 5 % up or down from it.
 */
export function isWithinJump(rate: bigint, of: bigint, percent: number): boolean {
  const difference = rate > of ? rate - of : of - rate
  return difference * 100n <= of * BigInt(percent)
}
