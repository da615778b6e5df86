/* oxlint-disable jsx-a11y/prefer-tag-over-role -- the library draws into a div; the div is the picture */
import { useRef } from 'react'
import type { ChartOrder } from '#web/chart/chart-order.ts'
import type { ChartSymbol } from '#web/chart/chart-symbol.ts'
import { useOrderChart } from '#web/chart/use-order-chart.ts'
import { t } from '#web/i18n/t.ts'

interface OrderPaneProps {
  symbol: ChartSymbol
  order: ChartOrder
  /** Other orders, drawn as line and dot. */
  orders: readonly ChartOrder[]
}

/** The chart of one order: the price from the entry to the expiry as a line. */
export function OrderPane({ symbol, order, orders }: OrderPaneProps) {
  const box = useRef<HTMLDivElement>(null)
  const { code, productId, marketType, decimals, title } = symbol
  const others = orders.filter((one) => one.id !== order.id && !one.isPreview).map(unselected)
  const hasGaps = useOrderChart(box, { code, productId, marketType, decimals, order, others })
  const summary = t('chart.order_summary', { symbol: title })
  return (
    <>
      <div
        ref={box}
        role="img"
        aria-label={hasGaps ? `${summary}. ${t('chart.order_gaps')}` : summary}
        className={PANE}
      />
      {hasGaps && (
        <p
          aria-hidden="true"
          dir="auto"
          className="pointer-events-none absolute start-2 end-18 bottom-20 w-fit rounded-small bg-surface-2 px-2 py-0.5 text-micro text-fg-2"
        >
          {t('chart.order_gaps')}
        </p>
      )}
    </>
  )
}

const PANE = 'min-h-0 flex-1 -outline-offset-2!'

function unselected(order: ChartOrder): ChartOrder {
  return { ...order, isSelected: false }
}
