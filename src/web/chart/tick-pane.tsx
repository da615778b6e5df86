/* oxlint-disable jsx-a11y/prefer-tag-over-role -- the library draws into a div; the div is the picture */
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import type { TickView } from '#core/charts/chart-type.ts'
import { formatChange } from '#ui/format.ts'
import { Empty, LoadError, Skeleton } from '#ui/states.tsx'
import { axisPrice } from '#web/chart/chart-options.ts'
import type { ChartOrder } from '#web/chart/chart-order.ts'
import type { ChartSymbol } from '#web/chart/chart-symbol.ts'
import { PriceAloud } from '#web/chart/price-aloud.tsx'
import type { TickPoint } from '#web/chart/price-course.ts'
import type { ChartTrade } from '#web/chart/trade-marks.ts'
import { useTickChart } from '#web/chart/use-tick-chart.ts'
import { clockTime, clockZone } from '#web/i18n/clock.ts'
import { t } from '#web/i18n/t.ts'
import { useDesk } from '#web/options/desk.ts'

interface TickPaneProps {
  symbol: ChartSymbol
  view: TickView
  orders: readonly ChartOrder[]
  trades: readonly ChartTrade[]
  onTrade: (id: string) => void
  isReadAloud: boolean
  onRetry: () => void
}

/** 15 s between summaries, so that screen readers are not interrupted. */
const SAY_MS = 15_000

/** A line of the ticks of the last 15 minutes. */
export function TickPane({ symbol, view, orders, trades, onTrade, isReadAloud, onRetry }: TickPaneProps) {
  const box = useRef<HTMLDivElement>(null)
  const { indicators } = useDesk()
  const { state, hasTicks, shown } = useTickChart(box, { symbol, view, orders, trades, onTrade })
  const [summary, setSummary] = useState(() => summaryOf(symbol, view, []))
  const say = useEffectEvent(() => setSummary(summaryOf(symbol, view, shown())))
  const isDrawn = state === 'ready' && hasTicks
  useEffect(() => {
    if (!isDrawn) return undefined
    const first = setTimeout(() => say())
    const timer = setInterval(() => say(), SAY_MS)
    return () => {
      clearTimeout(first)
      clearInterval(timer)
    }
  }, [isDrawn])

  return (
    <>
      <p className="shrink-0 px-4 text-micro/[1.25rem] text-fg-3">
        {t(`desk.ticks_${view}_hint`)}
        {indicators.length > 0 && <span className="text-warn"> {t('desk.ticks_no_indicators')}</span>}
      </p>
      <div
        ref={box}
        role="img"
        aria-label={summary}
        className="relative isolate min-h-0 flex-1 -outline-offset-2!"
        data-part="ticks"
        data-state={state}
      />
      {isReadAloud && <PriceAloud symbol={symbol} />}
      {state === 'loading' && (
        <div className="pointer-events-none absolute inset-x-4 top-4 bottom-12" aria-hidden="true">
          <Skeleton width="100%" height="100%" />
        </div>
      )}
      {state === 'ready' && !hasTicks && (
        <Empty title={t('desk.ticks_none')} className="pointer-events-none absolute inset-x-0 top-1/4">
          {t('chart.no_prices_why')}
        </Empty>
      )}
      {state === 'failed' && (
        <div className="absolute inset-x-0 top-1/3">
          <LoadError reason={t('common.load_failed')} retryLabel={t('common.try_again')} onRetry={onRetry} />
        </div>
      )}
    </>
  )
}

function summaryOf({ title, decimals }: ChartSymbol, view: TickView, ticks: readonly TickPoint[]): string {
  const [first, last] = [ticks[0], ticks.at(-1)]
  const type = t(`desk.ticks_${view}`)
  if (first === undefined || last === undefined) return `${title}, ${type}. ${t('desk.ticks_none')}`
  const prices = ticks.map(({ price }) => price)
  const text = (price: number) => axisPrice(price, decimals)
  return t('desk.ticks_summary', {
    symbol: title,
    type,
    from: clockTime(first.time),
    to: `${clockTime(last.time)} ${clockZone(last.time)}`,
    last: text(last.price),
    change: formatChange(first.price > 0 ? ((last.price - first.price) / first.price) * 100 : 0),
    high: text(prices.reduce((a, b) => Math.max(a, b))),
    low: text(prices.reduce((a, b) => Math.min(a, b))),
  })
}
