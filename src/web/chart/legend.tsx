import type { ReactNode } from 'react'
import type { ChartInterval } from '#core/time/chart-interval.ts'
import { cx } from '#ui/cx.ts'
import { ChangeText } from '#ui/figures.tsx'
import { type Store, useStore } from '#ui/state/store.ts'
import type { LegendBars } from '#web/chart/chart-bars.ts'
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

/**
 * The values of the bar under the crosshair, or of the newest bar. Hidden from screen readers: keyboard users have the
 * selected bar announced instead.
 */
export function Legend({ legend, interval, decimals }: LegendProps) {
  const shown = useStore(legend)
  return (
    <div aria-hidden="true" data-part="legend" className="@container shrink-0">
      {/* One line above the chart. Values without room wrap whole to a hidden second line. */}
      <div className="num flex h-[1.25rem] flex-wrap gap-x-2 overflow-y-clip px-4 text-micro/[1.25rem] text-fg-3">
        {shown !== null && <Figures shown={shown} interval={interval} decimals={decimals} />}
      </div>
    </div>
  )
}

/** The values in order of importance: warnings first. On the narrowest screens the close comes first. */
function Figures({ shown, interval, decimals }: { shown: LegendBars; interval: ChartInterval; decimals: number }) {
  const unit = volumeUnit.use()
  const { bar, split } = shown
  const price = (value: number) => axisPrice(value, decimals)
  const change = changeIn(shown)
  return (
    <>
      {bar.source !== undefined && (
        <span className="font-semibold text-warn">{t('chart.from_source', { source: bar.source })}</span>
      )}
      {split !== null && (
        <span className="font-semibold text-warn">{t('chart.split', { ratio: ratioText(split) })}</span>
      )}
      <Figure name="O">{price(bar.open)}</Figure>
      <Figure name="H">{price(bar.high)}</Figure>
      <Figure name="L">{price(bar.low)}</Figure>
      <Figure name="C" className="@max-[18rem]:-order-1">
        {price(bar.close)}
      </Figure>
      {change !== null && <ChangeText percent={change} size="s" className="text-micro!" />}
      <Figure name={t(unit === 'money' ? 'chart.amount' : 'chart.volume')}>
        {volumeText(bar.volume, bar.close, unit)}
      </Figure>
      <span data-part="legend-time" className="whitespace-nowrap">
        {barTime(bar.time, interval)} {interval === '1d' ? 'UTC' : clockZone(bar.time)}
      </span>
    </>
  )
}

function Figure({ name, className, children }: { name: string; className?: string; children: ReactNode }) {
  return (
    <span className={cx('whitespace-nowrap', className)}>
      {name} <span className="text-fg-2">{children}</span>
    </span>
  )
}

/** Returns the change in percent from the previous close, or within the bar if no previous bar has the same basis. */
export function changeIn({ bar, previous, split }: LegendBars): number | null {
  const from = split === null ? (previous?.close ?? bar.open) : bar.open
  return from > 0 ? Math.round(((bar.close - from) / from) * 100_000) / 1_000 : null
}
