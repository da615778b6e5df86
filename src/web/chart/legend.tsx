import type { ReactNode } from 'react'
import type { ChartInterval } from '#core/time/chart-interval.ts'
import { cx } from '#ui/cx.ts'
import { ChangeText } from '#ui/figures.tsx'
import { Triangle } from '#ui/triangle.tsx'
import { type Store, useStore } from '#ui/state/store.ts'
import type { LegendBars, LegendFigures } from '#web/chart/chart-bars.ts'
import { axisPrice, barTime } from '#web/chart/chart-options.ts'
import type { IndicatorReading } from '#web/chart/indicators.ts'
import { LineSample } from '#web/chart/line-sample.tsx'
import { clockZone } from '#web/i18n/clock.ts'
import { t } from '#web/i18n/t.ts'
import { volumeText } from '#web/options/figures.ts'
import type { ChartType } from '#core/charts/chart-type.ts'
import { volumeUnit } from '#web/options/options.ts'
import { ratioText } from '#web/symbols/split-text.ts'

interface LegendProps {
  legend: Store<LegendFigures | null>
  type: ChartType
  interval: ChartInterval
  decimals: number
}

/**
 * The values of the bar under the crosshair, or of the newest bar. Hidden from screen readers: keyboard users have the
 * selected bar announced instead.
 */
export function Legend({ legend, type, interval, decimals }: LegendProps) {
  const shown = useStore(legend)
  return (
    <div aria-hidden="true" data-part="legend" className="@container shrink-0">
      {/* One line above the chart. A value that does not fit wraps as a whole to a hidden second line. */}
      <div className="num flex h-[1.25rem] flex-wrap gap-x-2 overflow-y-clip px-4 text-micro/[1.25rem] text-fg-3">
        {shown !== null && <Figures shown={shown} type={type} interval={interval} decimals={decimals} />}
      </div>
      {shown !== null && shown.readings.length > 0 && <Readings readings={shown.readings} />}
    </div>
  )
}

/** The values in order of importance: warnings first. Up to 18 rem of width the close precedes all other values. */
function Figures({ shown, type, interval, decimals }: Omit<LegendProps, 'legend'> & { shown: LegendFigures }) {
  const unit = volumeUnit.use()
  const { bar, split, averaged } = shown
  const drawn = averaged ?? bar
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
      {averaged !== null && (
        <>
          <span className="rounded-pill bg-surface-2 px-1 font-semibold text-fg-2">HA</span>
          <Figure name={t('desk.price')}>{price(bar.close)}</Figure>
        </>
      )}
      <Figure name="O">{price(drawn.open)}</Figure>
      <Figure name="H">{price(drawn.high)}</Figure>
      <Figure name="L">{price(drawn.low)}</Figure>
      <Figure name="C" className="@max-[18rem]:-order-1">
        {price(drawn.close)}
      </Figure>
      {change !== null && <ChangeText percent={change} size="s" className="text-micro/[1.25rem]!" />}
      {type === 'hollow' && change !== null && (
        <span className="inline-flex items-center gap-1 whitespace-nowrap">
          <Triangle direction={change < 0 ? 'down' : 'up'} />
          {t('desk.vs_previous')}
        </span>
      )}
      <Figure name={t(unit === 'money' ? 'chart.amount' : 'chart.volume')}>
        {volumeText(bar.volume, bar.close, unit)}
      </Figure>
      <span data-part="legend-time" className="whitespace-nowrap">
        {barTime(bar.time, interval)} {interval === '1d' ? 'UTC' : clockZone(bar.time)}
      </span>
    </>
  )
}

/** The values of the indicators in columns, so that nothing moves when a value gets longer. */
function Readings({ readings }: { readings: readonly IndicatorReading[] }) {
  return (
    <div
      data-part="indicators"
      className="num grid grid-cols-[repeat(auto-fill,minmax(9rem,1fr))] gap-x-2 px-4 text-micro/[1.125rem] text-fg-3"
    >
      {readings.map(({ name, colour, values }, at) => (
        <span key={at} className={cx('flex flex-wrap items-center gap-x-1', (values?.length ?? 0) > 2 && 'col-span-2')}>
          <LineSample colour={colour} />
          {name} <span className="text-fg-2">{values?.join(' · ') ?? '–'}</span>
        </span>
      ))}
    </div>
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
