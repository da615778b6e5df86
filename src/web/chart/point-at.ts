import type { IChartApiBase, Logical } from 'lightweight-charts'
import type { TimeAxis } from '#web/chart/time-axis.ts'

/** Returns the fractional bar index at a position of the time axis: the inverse of `xAtIndex`. */
export function indexAtX(chart: IChartApiBase, x: number): number | null {
  const scale = chart.timeScale()
  const [zero, one] = [scale.logicalToCoordinate(0 as Logical), scale.logicalToCoordinate(1 as Logical)]
  return zero === null || one === null || one === zero ? null : (x - zero) / (one - zero) + 0.5
}

/** Returns the time at a fractional bar index: the inverse of `indexAt`, except in gaps, which take no room. */
export function timeAtIndex({ times, stepMs }: TimeAxis, index: number): number | null {
  const [first, last] = [times[0], times.at(-1)]
  if (first === undefined || last === undefined) return null
  if (index <= 0) return Math.round(first + index * stepMs)
  if (index >= times.length - 1) return Math.round(last + (index - times.length + 1) * stepMs)
  const low = Math.floor(index)
  const [from, to] = [times[low] ?? first, times[low + 1] ?? last]
  return Math.round(from + (index - low) * Math.min(stepMs, to - from))
}
