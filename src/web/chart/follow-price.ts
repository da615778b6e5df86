import type { ChartOrder } from '#web/chart/chart-order.ts'
import { latestTick } from '#web/live/live-store.ts'

/** Moves the preview of the order form to the newest tick: to its time and price. Returns any other order unchanged. */
export function followPrice(order: ChartOrder, code: string): ChartOrder {
  const tick = latestTick(code)
  if (!order.isPreview || tick === null) return order
  const length = order.expiresAt - order.openedAt
  return { ...order, entryPrice: tick.price, openedAt: tick.time, expiresAt: tick.time + length }
}
