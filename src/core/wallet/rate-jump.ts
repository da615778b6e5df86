/**
 * Whether a new rate is within `percent` of the older rate `of`. Rates are integers in millionths. The difference is
 * compared with the older rate, so a limit of 5 means 5 % above or below the older rate.
 */
export function isWithinJump(rate: bigint, of: bigint, percent: number): boolean {
  const difference = rate > of ? rate - of : of - rate
  return difference * 100n <= of * BigInt(percent)
}
