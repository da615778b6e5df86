import { assert } from '#core/result.ts'

/** How often each value was seen: exact percentiles of millions of values in little memory. */
export type Distribution = ReadonlyMap<number, number>

export function countOf(distribution: Distribution): number {
  let count = 0
  for (const times of distribution.values()) count += times
  return count
}

/** The smallest value that at least this part of all values does not exceed, as PostgreSQL's `percentile_disc`. */
export function percentileOf(distribution: Distribution, part: number): number {
  const wanted = Math.max(1, Math.ceil(part * countOf(distribution)))
  let before = 0
  for (const [value, times] of [...distribution].toSorted(([a], [b]) => a - b)) {
    before += times
    if (before >= wanted) return value
  }
  assert(false, 'there is a percentile where there is a value')
}

/** How many values there are up to each bound and above the one before; the last are those above all. */
export function histogramOf(distribution: Distribution, bounds: readonly number[]): number[] {
  const counts = Array.from({ length: bounds.length + 1 }, () => 0)
  for (const [value, times] of distribution) {
    const found = bounds.findIndex((bound) => value <= bound)
    const at = found === -1 ? bounds.length : found
    counts[at] = (counts[at] ?? 0) + times
  }
  return counts
}
