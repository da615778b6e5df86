import { type RefObject, useEffect, useLayoutEffect, useState } from 'react'
import { type Store, useStore } from '#ui/state/store.ts'
import { CandleSession } from '#web/chart/candle-session.ts'
import type { ChartLayers } from '#web/chart/chart-layers.ts'
import type { LegendFigures } from '#web/chart/chart-bars.ts'
import type { CandleOverlay, CandleSeries, ShownCandles } from '#web/chart/shown-candles.ts'

export interface CandleChartState extends ShownCandles {
  readonly legend: Store<LegendFigures | null>
  readonly moveCrosshair: (step: number) => LegendFigures | null
  readonly clearCrosshair: () => void
  readonly toNewest: () => void
  readonly showTime: (time: number) => Promise<boolean>
  readonly fitPrices: () => void
  readonly getLayers: () => ChartLayers | null
}

/** Runs a candle chart in `element`. The component needs a `key`, so that another symbol or interval remounts it. */
export function useCandleChart(
  element: RefObject<HTMLDivElement | null>,
  options: CandleSeries & CandleOverlay,
): CandleChartState {
  const { code, productId, marketType, interval, decimals } = options
  const [session] = useState(() => new CandleSession(options))
  const shown = useStore(session.shown)
  useLayoutEffect(() => session.update(options))
  useEffect(() => {
    if (element.current !== null) {
      session.start(element.current, { code, productId, marketType, interval, decimals })
    }
    return () => session.dispose()
  }, [session, element, code, productId, marketType, interval, decimals])

  return {
    ...shown,
    legend: session.legend,
    moveCrosshair: (step) => session.moveCrosshair(step),
    clearCrosshair: () => session.clearCrosshair(),
    toNewest: () => void session.toNewest(),
    showTime: (time) => session.showTime(time),
    fitPrices: () => session.fitPrices(),
    getLayers: session.getLayers,
  }
}
