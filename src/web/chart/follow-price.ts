import type { ChartOrder } from '#web/chart/chart-order.ts'
import { latestTick } from '#web/live/live-store.ts'

/** The form's preview always starts at the current time and the newest price. */
export function followPrice(order: ChartOrder, code: string): ChartOrder {
  const tick = latestTick(code)
  if (!order.isPreview || tick === null) return order
  const length = order.expiresAt - order.openedAt
  return { ...order, entryPrice: tick.price, openedAt: tick.time, expiresAt: tick.time + length }
}
