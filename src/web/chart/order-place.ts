import type { ChartOrder } from '#web/chart/chart-order.ts'
import type { Place } from '#web/chart/draw-order.ts'

/** Functions of the chart. Coordinates are CSS pixels, or null before the first layout. */
export interface Coordinates {
  readonly xOf: (timeMs: number) => number | null
  readonly yOf: (price: number) => number | null
}

/** Minimum width of zones. On candles of one minute, an order of one minute would be only 8 px wide. */
export const MIN_ZONE_PX = 72

/**
 * Returns the position of an order on the pane, when the newest price is from `nowMs`; null before the first layout.
 */
export function placeOf(order: ChartOrder, nowMs: number | null, { xOf, yOf }: Coordinates): Place | null {
  const [fromX, toX, entryY] = [xOf(order.openedAt), xOf(order.expiresAt), yOf(order.entryPrice)]
  if (fromX === null || toX === null || entryY === null) return null
  const exitX = order.exit && xOf(order.exit.time)
  const exitY = order.exit && yOf(order.exit.price)
  return {
    fromX,
    toX: order.exit === null && nowMs !== null ? widened({ fromX, toX }, xOf(nowMs)) : toX,
    entryY,
    exit: exitX !== null && exitY !== null ? { x: exitX, y: exitY } : null,
  }
}

/**
 * Returns where the zones of an order end. While the expiry is in the future, zones are at least `MIN_ZONE_PX` wide,
 * even beyond the expiry's position on the axis.
 */
export function widened({ fromX, toX }: { fromX: number; toX: number }, nowX: number | null): number {
  return nowX !== null && toX >= nowX ? Math.max(toX, fromX + MIN_ZONE_PX) : toX
}
