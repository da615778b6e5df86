import Table2 from 'lucide-react/icons/table-2'
import Volume2 from 'lucide-react/icons/volume-2'
import { useEffect, useRef, useState } from 'react'
import type { ChartInterval } from '#core/time/chart-interval.ts'
import { cx } from '#ui/cx.ts'
import { Link } from '#ui/link.tsx'
import { Skeleton } from '#ui/states.tsx'
import { CandlePane } from '#web/chart/candle-pane.tsx'
import { chartMoment } from '#web/chart/chart-moment.ts'
import type { ChartOrder } from '#web/chart/chart-order.ts'
import type { ChartTrade } from '#web/chart/trade-marks.ts'
import { loadTexts } from '#web/i18n/catalogue.ts'
import { t } from '#web/i18n/t.ts'
import { useDesk } from '#web/options/desk.ts'
import type { ChartSymbol } from '#web/chart/chart-symbol.ts'
import { latePart } from '#web/parts/late-part.tsx'

const WAITING = { loading: () => <Waiting /> }
const CandleTable = latePart(async () => (await import('#web/chart/candle-table.tsx')).CandleTable, WAITING)
const TickPane = latePart(async () => {
  const [pane] = await Promise.all([import('#web/chart/tick-pane.tsx'), loadTexts('more')])
  return pane.TickPane
}, WAITING)
const OrderPane = latePart(async () => (await import('#web/chart/order-pane.tsx')).OrderPane, WAITING)

interface PriceChartProps {
  symbol: ChartSymbol
  interval: ChartInterval
  /** The order whose chart replaces the candles; null while candles or ticks are shown. */
  order: ChartOrder | null
  /** All orders to draw, including the form's preview. */
  orders: readonly ChartOrder[]
  /** Settled orders of this symbol, marked at their entry and exit. */
  trades: readonly ChartTrade[]
  /** Incremented to reload the newest candles. */
  loads?: number
  /** Called with the id of an order when the user presses its mark. */
  onTrade: (id: string) => void
  /** How many indicators can have a pane of their own. */
  maxPanes?: number
  /** Opens the large chart, which has room for more panes. */
  onLarge?: (() => void) | undefined
  /** Whether the candles are shown as a table. */
  isTable: boolean
  onTable: (isTable: boolean) => void
  className?: string
}

/**
 * The price of a symbol as candles or ticks, or as the line of one open order. Always left to right, like every time
 * axis.
 */
export default function PriceChart(props: PriceChartProps) {
  const { symbol, interval, order, orders, trades, loads = 0, onTrade, maxPanes = 1, onLarge, className } = props
  const { ticks } = useDesk()
  const [isReadAloud, setIsReadAloud] = useState(false)
  const { isTable, onTable } = props
  const [attempt, setAttempt] = useState(0)
  const box = useRef<HTMLDivElement>(null)
  useEffect(() => void OrderPane.prepare(), [])
  useEffect(() => () => chartMoment.set(null), [])
  return (
    <div ref={box} dir="ltr" className={cx('relative flex min-h-0 flex-col overflow-x-clip', className)}>
      {isTable ? (
        <CandleTable key={interval} symbol={symbol} interval={interval} />
      ) : order ? (
        <OrderPane key={order.id} symbol={symbol} order={order} orders={orders} />
      ) : ticks !== null ? (
        <TickPane
          key={`${symbol.code} ${ticks} ${attempt}`}
          symbol={symbol}
          view={ticks}
          orders={orders}
          trades={trades}
          onTrade={onTrade}
          isReadAloud={isReadAloud}
          onRetry={() => setAttempt(attempt + 1)}
        />
      ) : (
        <CandlePane
          key={`${symbol.code} ${interval} ${attempt}`}
          symbol={symbol}
          interval={interval}
          orders={orders}
          trades={trades}
          loads={loads}
          onTrade={onTrade}
          isReadAloud={isReadAloud}
          maxPanes={maxPanes}
          onLarge={onLarge}
          onRetry={() => setAttempt(attempt + 1)}
        />
      )}
      <div className="flex h-6 shrink-0 items-center justify-between px-4 text-micro text-fg-3">
        <Link href="https://www.tradingview.com/" external className="hit hover:text-fg-2">
          {t('chart.credit')}
        </Link>
        {!isTable && !order && (
          <button
            type="button"
            aria-pressed={isReadAloud}
            onClick={() => setIsReadAloud(!isReadAloud)}
            className="hit sr-only items-center gap-1 focus-visible:not-sr-only focus-visible:inline-flex aria-pressed:not-sr-only aria-pressed:inline-flex"
          >
            <Volume2 size={12} strokeWidth={1.75} aria-hidden="true" />
            {t('chart.read_aloud')}
          </button>
        )}
        <button
          type="button"
          data-key="t"
          onClick={({ currentTarget }) => {
            // If the focus is in the chart, which is about to disappear, this button takes it.
            if (box.current?.contains(document.activeElement)) currentTarget.focus()
            onTable(!isTable)
          }}
          className="hit inline-flex items-center gap-1 hover:text-fg-2"
        >
          <Table2 size={12} strokeWidth={1.75} aria-hidden="true" />
          {t(isTable ? 'chart.show_chart' : 'chart.show_table')}
        </button>
      </div>
    </div>
  )
}

function Waiting() {
  return (
    <div className="min-h-0 flex-1 px-4 py-4" aria-hidden="true">
      <Skeleton width="100%" height="100%" />
    </div>
  )
}
