import type { IChartApiBase, Logical } from 'lightweight-charts'

/**
 * Returns the position of a fractional bar index on the time axis, in CSS pixels. The library knows only whole indices,
 * at the middle of each bar. A bar's time starts half a bar before its middle.
 */
export function xAtIndex(chart: IChartApiBase, index: number | null): number | null {
  if (index === null) return null
  const middle = index - 0.5
  const low = Math.floor(middle)
  const scale = chart.timeScale()
  const [from, to] = [scale.logicalToCoordinate(low as Logical), scale.logicalToCoordinate((low + 1) as Logical)]
  return from === null || to === null ? null : from + (to - from) * (middle - low)
}
