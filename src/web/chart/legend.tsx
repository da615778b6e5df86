import type { ReactNode } from 'react'
import type { ChartInterval } from '#core/time/chart-interval.ts'
import { ChangeText } from '#ui/figures.tsx'
import { type Store, useStore } from '#ui/state/store.ts'
import type { LegendBars } from '#web/chart/candle-chart.ts'
import { axisPrice, barTime } from '#web/chart/chart-options.ts'
import { clockZone } from '#web/i18n/clock.ts'
import { t } from '#web/i18n/t.ts'
import { volumeText } from '#web/options/figures.ts'
import { volumeUnit } from '#web/options/options.ts'
import { ratioText } from '#web/symbols/split-text.ts'

interface LegendProps {
  legend: Store<LegendBars | null>
  interval: ChartInterval
  decimals: number
}

/** The figures of the bar under the crosshair, or of the newest one. Unspoken: the keyboard has them read out. */
export function Legend({ legend, interval, decimals }: LegendProps) {
  const shown = useStore(legend)
  const unit = volumeUnit.use()
  if (shown === null) return null
  const { bar, split } = shown
  const price = (value: number) => axisPrice(value, decimals)
  const change = changeIn(shown)
  return (
    <div
      aria-hidden="true"
      data-part="legend"
      className="num pointer-events-none absolute start-4 end-18 top-1 z-1 flex flex-wrap gap-x-2 text-micro text-fg-3"
    >
      <span>
        {barTime(bar.time, interval)} {interval === '1d' ? 'UTC' : clockZone(bar.time)}
      </span>
      <Figure name="O">{price(bar.open)}</Figure>
      <Figure name="H">{price(bar.high)}</Figure>
      <Figure name="L">{price(bar.low)}</Figure>
      <Figure name="C">{price(bar.close)}</Figure>
      {change !== null && <ChangeText percent={change} size="s" className="text-micro!" />}
      {split !== null && (
        <span className="font-semibold text-warn">{t('chart.split', { ratio: ratioText(split) })}</span>
      )}
      <Figure name={t(unit === 'money' ? 'chart.amount' : 'chart.volume')}>
        {volumeText(bar.volume, bar.close, unit)}
      </Figure>
      {bar.source !== undefined && (
        <span className="font-semibold text-warn">{t('chart.from_source', { source: bar.source })}</span>
      )}
    </div>
  )
}

function Figure({ name, children }: { name: string; children: ReactNode }) {
  return (
    <span className="whitespace-nowrap">
      {name} <span className="text-fg-2">{children}</span>
    </span>
  )
}

/** Percent against the close before, or within the bar where there is none before on the same basis. */
export function changeIn({ bar, previous, split }: LegendBars): number | null {
  const from = split === null ? (previous?.close ?? bar.open) : bar.open
  return from > 0 ? Math.round(((bar.close - from) / from) * 100_000) / 1_000 : null
}
