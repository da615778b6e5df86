import { useEffect, useEffectEvent } from 'react'
import { useStore } from '#ui/state/store.ts'
import { useToast } from '#ui/toast.tsx'
import { chartMoment } from '#web/chart/chart-moment.ts'
import type { CandleSeries } from '#web/chart/shown-candles.ts'
import type { CandleChartState } from '#web/chart/use-candle-chart.ts'
import { t } from '#web/i18n/t.ts'

/**
 * Shows the time that the user chose in the settings, when the first bars have loaded. A time for another symbol or
 * interval is dropped.
 */
export function useChartMoment(
  { state, showTime }: Pick<CandleChartState, 'state' | 'showTime'>,
  { code, interval }: Pick<CandleSeries, 'code' | 'interval'>,
): void {
  const toast = useToast()
  const wanted = useStore(chartMoment)
  const show = useEffectEvent(async (time: number) => {
    if (!(await showTime(time))) toast({ tone: 'danger', text: t('common.load_failed') })
  })
  useEffect(() => {
    if (wanted === null) return
    const isHere = wanted.symbol === code && wanted.interval === interval
    if (isHere && state !== 'ready') return
    chartMoment.set(null)
    if (isHere) void show(wanted.time)
  }, [wanted, state, code, interval])
}
