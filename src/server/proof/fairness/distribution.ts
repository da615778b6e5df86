import { assert } from '#core/result.ts'

/** The number of occurrences of each value. It gives exact percentiles of millions of values in little memory. */
export type Distribution = ReadonlyMap<number, number>

export function countOf(distribution: Distribution): number {
  let count = 0
  for (const times of distribution.values()) count += times
  return count
}

/**
 * Returns the smallest value for which the share of the values up to it is at least `part` (0 to 1), like PostgreSQL's
 * `percentile_disc`.
 */
export function percentileOf(distribution: Distribution, part: number): number {
  const wanted = Math.max(1, Math.ceil(part * countOf(distribution)))
  let before = 0
  for (const [value, times] of [...distribution].toSorted(([a], [b]) => a - b)) {
    before += times
    if (before >= wanted) return value
  }
  assert(false, 'there is a percentile where there is a value')
}

/**
 * Counts the values in the ranges between the bounds. Each range includes its upper bound, but not its lower one. The
 * first count is of all values up to the first bound. The last count is of all values above the last bound.
 */
export function histogramOf(distribution: Distribution, bounds: readonly number[]): number[] {
  const counts = Array.from({ length: bounds.length + 1 }, () => 0)
  for (const [value, times] of distribution) {
    const found = bounds.findIndex((bound) => value <= bound)
    const at = found === -1 ? bounds.length : found
    counts[at] = (counts[at] ?? 0) + times
  }
  return counts
}
