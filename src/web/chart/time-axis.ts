/** The times on the axis of a chart, ascending, in milliseconds; bars stand side by side whatever time lies between. */
export interface TimeAxis {
  readonly times: readonly number[]
  readonly stepMs: number
}

/**
 * Where a moment lies among the bars, as a fractional index: between two bars by the share of time that has passed,
 * beyond the last by whole steps. A bar stands for the time from its own on, so its middle is half a step later; the
 * index says the start. Null without bars.
 */
export function indexAt({ times, stepMs }: TimeAxis, at: number): number | null {
  const first = times[0]
  const last = times.at(-1)
  if (first === undefined || last === undefined) return null
  if (at <= first) return (at - first) / stepMs
  if (at >= last) return times.length - 1 + (at - last) / stepMs
  let [low, high] = [0, times.length - 1]
  while (high - low > 1) {
    const middle = (low + high) >> 1
    if ((times[middle] ?? Infinity) <= at) low = middle
    else high = middle
  }
  const from = times[low] ?? first
  // Within its own step a moment belongs to its bar; a gap behind it (a night, a weekend) takes no room.
  const share = Math.min(1, (at - from) / Math.min(stepMs, (times[high] ?? last) - from))
  return low + share
}
