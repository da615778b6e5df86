import type { Direction } from '#core/orders/order.ts'
import type { ChartOrder } from '#web/chart/chart-order.ts'
import type { PlacedOrder } from '#web/live/placed-order.ts'
import type { OrderResult } from '#web/live/result-book.ts'

interface Drawn {
  /** Running orders of the symbol on the screen. */
  running: readonly PlacedOrder[]
  /** The one the screen is about; may have settled. */
  selected: PlacedOrder | null
  result: OrderResult | null
  exitTime: number | null
  /** What the open form would place; null without one. */
  preview: { direction: Direction; seconds: number; price: number; now: number } | null
}

/** What the chart draws: zones for the form's order if one is open, else for the selected one; lines for the rest. */
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
