import type { Direction } from '#core/orders/order.ts'
import type { ChartOrder } from '#web/chart/chart-order.ts'
import type { PlacedOrder } from '#web/live/placed-order.ts'
import type { OrderResult } from '#web/live/result-store.ts'

interface Drawn {
  /** Open orders of the symbol on screen. */
  running: readonly PlacedOrder[]
  /** The selected order, open or settled. */
  selected: PlacedOrder | null
  result: OrderResult | null
  exitTime: number | null
  /** The order that the open form would place; null without a form. */
  preview: { direction: Direction; seconds: number; price: number; now: number } | null
}

/**
 * Returns the orders to draw. If the form is open, its order has zones; otherwise the selected order has zones. All
 * other orders have lines.
 */
export function chartOrders({ running, selected, result, exitTime, preview }: Drawn): ChartOrder[] {
  const placed = selected && !running.some(({ id }) => id === selected.id) ? [...running, selected] : running
  const orders = placed.map((order): ChartOrder => {
    const isSelected = order.id === selected?.id
    const exit =
      isSelected && result !== null && result.post_trade_price !== null
        ? { price: result.post_trade_price, time: exitTime ?? order.expiresAt }
        : null
    const { id, direction, entryPrice, openedAt, expiresAt } = order
    return {
      id,
      direction,
      entryPrice,
      openedAt,
      expiresAt,
      isSelected: isSelected && preview === null,
      isPreview: false,
      exit,
    }
  })
  if (preview === null) return orders
  const { direction, seconds, price, now } = preview
  const shape = { entryPrice: price, openedAt: now, expiresAt: now + seconds * 1000 }
  return [...orders, { id: 'preview', direction, ...shape, isSelected: true, isPreview: true, exit: null }]
}
