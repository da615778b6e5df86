/* oxlint-disable jsx-a11y/prefer-tag-over-role -- the library draws into a div; the div is the picture */
import { useRef } from 'react'
import type { ChartOrder } from '#web/chart/chart-order.ts'
import type { ChartSymbol } from '#web/chart/price-chart.tsx'
import type { TickPoint } from '#web/chart/tick-line.ts'
import { useOrderChart } from '#web/chart/use-order-chart.ts'
import { t } from '#web/i18n/t.ts'

interface OrderPaneProps {
  symbol: ChartSymbol
  order: ChartOrder
  /** The others are drawn as line and dot. */
  orders: readonly ChartOrder[]
  knownTicks: readonly TickPoint[]
}

/** The course of one order as a line. */
export function OrderPane({ symbol, order, orders, knownTicks }: OrderPaneProps) {
  const box = useRef<HTMLDivElement>(null)
  const { code, productId, decimals, title } = symbol
  const others = orders.filter((one) => one.id !== order.id && !one.isPreview).map(unselected)
  useOrderChart(box, { code, productId, decimals, order, others, known: knownTicks })
  return <div ref={box} role="img" aria-label={t('chart.order_summary', { symbol: title })} className={PANE} />
}

const PANE = 'min-h-0 flex-1 -outline-offset-2!'

function unselected(order: ChartOrder): ChartOrder {
  return { ...order, isSelected: false }
}
