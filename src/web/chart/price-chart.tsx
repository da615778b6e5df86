/* oxlint-disable jsx-a11y/prefer-tag-over-role, jsx-a11y/no-noninteractive-tabindex, jsx-a11y/no-noninteractive-element-interactions --
   the library draws into a div; the div is the picture, and arrow keys move its crosshair */
import { Table2 } from 'lucide-react'
import { type KeyboardEvent, useRef, useState } from 'react'
import type { ChartInterval } from '#core/time/chart-interval.ts'
import { cx } from '#ui/cx.ts'
import { Link } from '#ui/link.tsx'
import { LoadError, Skeleton } from '#ui/states.tsx'
import type { Bar } from '#web/chart/candle-chart.ts'
import { CandleTable } from '#web/chart/candle-table.tsx'
import { axisPrice } from '#web/chart/chart-options.ts'
import type { ChartOrder } from '#web/chart/chart-order.ts'
import type { TickPoint } from '#web/chart/tick-line.ts'
import { useCandleChart } from '#web/chart/use-candle-chart.ts'
import { useOrderChart } from '#web/chart/use-order-chart.ts'
import { t } from '#web/i18n/t.ts'

export interface ChartSymbol {
  readonly code: string
  readonly productId: string
  readonly decimals: number
  /** As people write it: "BTC/USDT". */
  readonly title: string
}

interface PriceChartProps {
  symbol: ChartSymbol
  interval: ChartInterval
  /** The order whose own view is shown instead of candles. */
  order: ChartOrder | null
  /** Everything to be drawn in, the form's preview too. */
  orders: readonly ChartOrder[]
  knownTicks: readonly TickPoint[]
  className?: string
}

/** The price of a symbol as candles, or as the line of one running order. Always left to right, like every time axis. */
export default function PriceChart({ symbol, interval, order, orders, knownTicks, className }: PriceChartProps) {
  const [isTable, setIsTable] = useState(false)
  const [attempt, setAttempt] = useState(0)
  return (
    <div dir="ltr" className={cx('relative flex min-h-0 flex-col', className)}>
      {isTable ? (
        <CandleTable symbol={symbol} interval={interval} />
      ) : order ? (
        <OrderPane key={order.id} symbol={symbol} order={order} orders={orders} knownTicks={knownTicks} />
      ) : (
        <CandlePane
          key={`${symbol.code} ${interval} ${attempt}`}
          symbol={symbol}
          interval={interval}
          orders={orders}
          onRetry={() => setAttempt(attempt + 1)}
        />
      )}
      <div className="flex h-6 shrink-0 items-center justify-between px-4 text-micro text-fg-3">
        <Link href="https://www.tradingview.com/" external className="hit hover:text-fg-2">
          {t('chart.credit')}
        </Link>
        <button
          type="button"
          onClick={() => setIsTable(!isTable)}
          className="hit inline-flex items-center gap-1 hover:text-fg-2"
        >
          <Table2 size={12} strokeWidth={1.75} aria-hidden="true" />
          {t(isTable ? 'chart.show_chart' : 'chart.show_table')}
        </button>
      </div>
    </div>
  )
}

interface CandlePaneProps extends Pick<PriceChartProps, 'symbol' | 'interval' | 'orders'> {
  onRetry: () => void
}

function CandlePane({ symbol, interval, orders, onRetry }: CandlePaneProps) {
  const box = useRef<HTMLDivElement>(null)
  const { code, productId, decimals, title } = symbol
  const { state, recent, moveCrosshair } = useCandleChart(box, { code, productId, interval, decimals, orders })

  function pressed(event: KeyboardEvent): void {
    const step = event.key === 'ArrowLeft' ? -1 : event.key === 'ArrowRight' ? 1 : 0
    if (step === 0) return
    event.preventDefault()
    moveCrosshair(step)
  }

  return (
    <>
      <div
        ref={box}
        role="img"
        tabIndex={0}
        onKeyDown={pressed}
        aria-label={summary(title, interval, recent, decimals)}
        className={PANE}
      />
      {state === 'loading' && (
        <div className="pointer-events-none absolute inset-x-4 top-4 bottom-12" aria-hidden="true">
          <Skeleton width="100%" height="100%" />
        </div>
      )}
      {state === 'failed' && (
        <div className="absolute inset-x-0 top-1/3">
          <LoadError reason={t('common.load_failed')} retryLabel={t('common.try_again')} onRetry={onRetry} />
        </div>
      )}
    </>
  )
}

interface OrderPaneProps extends Pick<PriceChartProps, 'symbol' | 'orders' | 'knownTicks'> {
  order: ChartOrder
}

function OrderPane({ symbol, order, orders, knownTicks }: OrderPaneProps) {
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

function summary(title: string, interval: ChartInterval, bars: readonly Bar[], decimals: number): string {
  const last = bars.at(-1)
  if (last === undefined) return t('chart.summary_empty', { symbol: title, interval })
  const price = (value: number) => axisPrice(value, decimals)
  return t('chart.summary', {
    symbol: title,
    interval,
    count: bars.length,
    last: price(last.close),
    high: price(Math.max(...bars.map((bar) => bar.high))),
    low: price(Math.min(...bars.map((bar) => bar.low))),
  })
}
