/* oxlint-disable jsx-a11y/prefer-tag-over-role, jsx-a11y/no-noninteractive-tabindex, jsx-a11y/no-noninteractive-element-interactions --
   the library draws into a div; the div is the picture, and arrow keys move its crosshair */
import ChevronsRight from 'lucide-react/icons/chevrons-right'
import { type KeyboardEvent, useRef, useState } from 'react'
import type { ChartInterval } from '#core/time/chart-interval.ts'
import { formatRate } from '#ui/format.ts'
import { useStore } from '#ui/state/store.ts'
import { Empty, LoadError, Skeleton } from '#ui/states.tsx'
import type { ChartOrder } from '#web/chart/chart-order.ts'
import { drawingsInUse } from '#web/chart/drawings-in-use.ts'
import { Legend } from '#web/chart/legend.tsx'
import type { ChartSymbol } from '#web/chart/chart-symbol.ts'
import { PriceAloud } from '#web/chart/price-aloud.tsx'
import type { FreeScale } from '#web/chart/scale-watch.ts'
import { barText, useSummary } from '#web/chart/screen-reader-text.ts'
import type { ChartTrade } from '#web/chart/trade-marks.ts'
import { useCandleChart } from '#web/chart/use-candle-chart.ts'
import { useChartMoment } from '#web/chart/use-chart-moment.ts'
import { loadTexts } from '#web/i18n/catalogue.ts'
import { t } from '#web/i18n/t.ts'
import { useDesk } from '#web/options/desk.ts'
import { useSession } from '#web/session/session.ts'
import { latePart } from '#web/parts/late-part.tsx'

const DrawingLayer = latePart(async () => {
  const [layer] = await Promise.all([import('#web/chart/drawing-layer.tsx'), loadTexts('more')])
  return layer.DrawingLayer
})

const AlertLayer = latePart(async () => {
  const [layer] = await Promise.all([import('#web/chart/alert-layer.tsx'), loadTexts('more')])
  return layer.AlertLayer
})

interface CandlePaneProps {
  symbol: ChartSymbol
  interval: ChartInterval
  orders: readonly ChartOrder[]
  trades: readonly ChartTrade[]
  loads: number
  onTrade: (id: string) => void
  isReadAloud: boolean
  onRetry: () => void
  maxPanes: number
  onLarge: (() => void) | undefined
}

/** How many bars each key moves the crosshair. */
const STEPS: Readonly<Record<string, number>> = {
  ArrowLeft: -1,
  ArrowRight: 1,
  PageUp: -10,
  PageDown: 10,
  Home: -Infinity,
  End: Infinity,
}

/** The candle chart with everything that lies over it. */
export function CandlePane(props: CandlePaneProps) {
  const { symbol, interval, orders, trades, loads, onTrade, isReadAloud, onRetry, maxPanes, onLarge } = props
  const { code, productId, marketType, decimals, splits } = symbol
  const desk = useDesk()
  const box = useRef<HTMLDivElement>(null)
  const hasDrawings = useStore(drawingsInUse)
  const isVerified = useSession()?.user.ev === true
  const [spoken, setSpoken] = useState('')
  const shared = { splits, orders, trades, loads, onTrade, desk, maxPanes }
  const options = { code, productId, marketType, interval, decimals, ...shared }
  const chart = useCandleChart(box, options)
  useChartMoment(chart, { code, interval })
  const summary = useSummary(symbol, interval, chart)

  function pressed(event: KeyboardEvent): void {
    if (event.key === 'Escape') {
      chart.clearCrosshair()
      setSpoken('')
    }
    const step = (STEPS[event.key] ?? 0) * (event.ctrlKey ? 100 : event.shiftKey ? 10 : 1)
    if (step === 0) return
    event.preventDefault()
    const shown = chart.moveCrosshair(step)
    if (shown !== null) setSpoken(barText(shown, interval, decimals))
  }

  return (
    <>
      {chart.type === 'heikin_ashi' && (
        <p className="shrink-0 px-4 text-micro/[1.25rem] font-semibold text-warn">
          {t('desk.averaged_note')} {desk.indicators.length > 0 && t('desk.averaged_indicators')}
        </p>
      )}
      <Legend legend={chart.legend} type={chart.type} interval={interval} decimals={decimals} />
      {chart.hasHiddenPanes && onLarge && (
        <button type="button" onClick={onLarge} className="hit mx-4 self-start text-micro font-semibold text-brand">
          {t('desk.panes_hidden')}
        </button>
      )}
      <div
        ref={box}
        role="img"
        tabIndex={0}
        onKeyDown={pressed}
        aria-label={summary}
        className="relative isolate min-h-0 flex-1 -outline-offset-2!"
      />
      {hasDrawings && chart.state === 'ready' && <DrawingLayer box={box} getLayers={chart.getLayers} symbol={code} />}
      {isVerified && chart.state === 'ready' && (
        <AlertLayer box={box} getLayers={chart.getLayers} symbol={code} decimals={decimals} />
      )}
      <output className="sr-only">{spoken}</output>
      {isReadAloud && <PriceAloud symbol={symbol} />}
      {chart.isLoadingOlder && <LoadingMark />}
      {chart.view.isBeforeStart && chart.hasOldest && (
        <span className="pointer-events-none absolute start-4 bottom-24 rounded-pill bg-surface-2 px-2 text-micro text-fg-3">
          {t('chart.oldest')}
        </span>
      )}
      {chart.view.isAway && (
        <button
          type="button"
          data-key="n"
          onClick={chart.toNewest}
          aria-label={t('chart.to_latest')}
          title={t('chart.to_latest')}
          className="absolute end-19 bottom-24 z-1 grid after:absolute after:-inset-1.5 size-8 place-items-center rounded-small bg-surface-2 text-fg-2 shadow-e2 hover:bg-surface-3"
        >
          <ChevronsRight size={18} strokeWidth={1.75} aria-hidden="true" />
        </button>
      )}
      {chart.freeScale !== null && <AutoButton free={chart.freeScale} onPress={chart.fitPrices} />}
      {chart.state === 'loading' && (
        <div className="pointer-events-none absolute inset-x-4 top-4 bottom-12" aria-hidden="true">
          <Skeleton width="100%" height="100%" />
        </div>
      )}
      {chart.state === 'ready' && !chart.hasBars && (
        <Empty title={t('chart.no_prices')} className="pointer-events-none absolute inset-x-0 top-1/4">
          {t('chart.no_prices_why')}
        </Empty>
      )}
      {chart.state === 'failed' && (
        <div className="absolute inset-x-0 top-1/3">
          <LoadError reason={t('common.load_failed')} retryLabel={t('common.try_again')} onRetry={onRetry} />
        </div>
      )}
    </>
  )
}

/**
 * A button that fits the scale to the prices again after the user moved the scale. The button shows where the last
 * price is when that price is out of sight.
 */
function AutoButton({ free: { lastPrice, percent }, onPress }: { free: FreeScale; onPress: () => void }) {
  return (
    <button
      type="button"
      onClick={onPress}
      className="absolute end-19 top-16 z-1 flex h-8 items-center gap-1.5 rounded-small bg-surface-2 px-2.5 text-label font-semibold text-fg-2 shadow-e2 after:absolute after:-inset-1.5 hover:bg-surface-3"
    >
      {lastPrice !== 'in_view' && (
        <>
          <span aria-hidden="true">{lastPrice === 'above' ? '▲' : '▼'}</span>
          <span className="sr-only">{t(`chart.last_${lastPrice}`)}</span>
          <span dir="ltr" className="num">
            {formatRate(percent)}
          </span>
        </>
      )}
      {t('chart.auto')}
    </button>
  )
}

/** A line at the edge where older bars will appear. */
function LoadingMark() {
  return (
    <span className="pointer-events-none absolute start-0 top-8 bottom-14 w-1" aria-hidden="true">
      <Skeleton width="100%" height="100%" />
    </span>
  )
}
