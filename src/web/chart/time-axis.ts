/**
 * The bar times on the axis of a chart, ascending, in milliseconds. Bars are adjacent regardless of the time between
 * them.
 */
export interface TimeAxis {
  readonly times: readonly number[]
  readonly stepMs: number
}

/**
 * Returns the position of a time among the bars as a fractional index; null without bars. Between two bars the fraction
 * is the share of time passed. After the last bar the index counts whole steps. The index refers to the start of a bar,
 * whose middle is half a step later.
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
  // Within the step of a bar, a time belongs to this bar. A gap after the bar (a night, a weekend) takes no room.
  const share = Math.min(1, (at - from) / Math.min(stepMs, (times[high] ?? last) - from))
  return low + share
}
