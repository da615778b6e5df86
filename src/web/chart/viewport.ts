import { indexOfTime } from '#web/chart/chart-bars.ts'
import type { ChartOrder } from '#web/chart/chart-order.ts'
import { MIN_ZONE_PX } from '#web/chart/order-place.ts'
import { indexAt, type TimeAxis } from '#web/chart/time-axis.ts'
import type { VisibleRange } from '#web/chart/visible-range.ts'

/** The position of the view. */
export interface ChartView {
  /** Whether the newest bar is more than one bar beyond the right edge of the view. */
  readonly isAway: boolean
  /** Whether the view shows empty space before the oldest bar. */
  readonly isBeforeStart: boolean
}

/** 3 empty bars to the right of the newest bar, while no order needs more room. */
export const REST_OFFSET = 3
/**
 * 120 bars, a good part of a screen: when the view comes this close to an end of the known bars, more bars are
 * requested.
 */
const NEAR_BARS = 120
/** Share of the view that the room for expiries may take. */
const MAX_ROOM = 0.45

export function viewOf({ from, to }: VisibleRange, count: number): ChartView {
  return { isAway: to < count - 2, isBeforeStart: from < -1 }
}

/** `warmUp` is the number of bars before the view that indicators need. */
export function isNearStart({ from }: VisibleRange, warmUp: number): boolean {
  return from < NEAR_BARS + warmUp
}

export function isNearEnd({ to }: VisibleRange, count: number): boolean {
  return to > count - NEAR_BARS
}

/**
 * Returns the range to show after the bars changed. A view at the newest bar follows new bars. Any other view keeps its
 * bars in place.
 */
export function keepInPlace(
  range: VisibleRange,
  { before, after, isAtEnd }: { before: readonly number[]; after: readonly number[]; isAtEnd: boolean },
): VisibleRange {
  const middle = Math.round((range.from + range.to) / 2)
  const by = isAtEnd ? after.length - before.length : shiftBetween(before, after, middle)
  return { from: range.from + by, to: range.to + by }
}

/** Returns by how many positions the bars around a given bar have moved. */
function shiftBetween(before: readonly number[], after: readonly number[], looked: number): number {
  const index = Math.max(0, Math.min(before.length - 1, looked))
  const now = indexOfTime(after, before[index] ?? 0)
  return now === -1 ? 0 : now - index
}

/** Returns the nearest range in which a bar is not at the edge; null when the bar is already away from the edge. */
export function rangeWith(index: number, { from, to }: VisibleRange): VisibleRange | null {
  const by = index < from + 1 ? index - from - 1 : index > to - 1 ? index - to + 1 : 0
  return by === 0 ? null : { from: from + by, to: to + by }
}

/**
 * Returns how many empty bars on the right the expiries of the selected orders need, at most a `MAX_ROOM` share of the
 * view.
 */
export function roomFor(
  orders: readonly ChartOrder[],
  axis: TimeAxis,
  { width, barSpacing }: { readonly width: number; readonly barSpacing: number },
): number {
  const latest = Math.max(0, ...orders.filter((order) => order.isSelected).map((order) => order.expiresAt))
  if (latest === 0) return REST_OFFSET
  const barsToExpiry = (indexAt(axis, latest) ?? 0) - (axis.times.length - 1)
  // Zones that reach into the future are drawn wider than a short order lasts.
  const zone = barsToExpiry < -1 ? 0 : MIN_ZONE_PX / barSpacing
  const wanted = Math.min(Math.max(barsToExpiry, zone) + 2, (width / barSpacing) * MAX_ROOM)
  return Math.round(Math.max(REST_OFFSET, wanted))
}
