import {
  createTextWatermark,
  HistogramSeries,
  type IChartApiBase,
  type ISeriesApi,
  LineSeries,
  LineStyle,
  type LineWidth,
  type Time,
} from 'lightweight-charts'
import type { IndicatorValues } from '#core/indicators/create-indicator.ts'
import { indicatorName, type IndicatorSettings, INDICATORS } from '#core/indicators/indicator-settings.ts'
import { type ChartColours, withAlpha } from '#web/chart/chart-colours.ts'
import { priceFormat, VOLUME_FORMAT } from '#web/chart/chart-options.ts'
import { decimalsOf } from '#web/chart/indicator-reading.ts'
import { textPx } from '#web/chart/text-px.ts'

type ValueSeries = ISeriesApi<'Line' | 'Histogram'>

interface Point {
  readonly time: Time
  readonly values: IndicatorValues | null
}

/** One line style per colour, so that the lines differ without colours too. */
const STYLES = [LineStyle.Solid, LineStyle.Dashed, LineStyle.LargeDashed, LineStyle.Dotted, LineStyle.SparseDotted]
/** The index of the pane that shows the volume. */
const VOLUME_PANE = 1
/** 64 px: a pane with less height cannot be read. */
const MIN_PANE_PX = 64
/** The height of an indicator's pane as a share of the height of the price and volume panes. */
const PANE_SHARE = 0.3

/** The lines of one indicator on the chart. A MACD also has columns. */
export class IndicatorSeries {
  readonly #chart: IChartApiBase
  readonly #settings: IndicatorSettings
  readonly #series: readonly ValueSeries[]
  /** The name in the corner of the indicator's own pane. */
  readonly #label: ReturnType<typeof createTextWatermark<Time>> | null = null

  constructor({ chart, settings, decimals }: { chart: IChartApiBase; settings: IndicatorSettings; decimals: number }) {
    const { kind } = settings
    const { place, values, levels } = INDICATORS[kind]
    const shown = decimalsOf(settings, decimals)
    const isPercent = levels.length > 0
    const look = {
      priceFormat: shown === null ? VOLUME_FORMAT : priceFormat(shown),
      priceLineVisible: false,
      lastValueVisible: false,
      crosshairMarkerVisible: false,
      lineWidth: (kind === 'bollinger' ? 1 : 2) satisfies LineWidth,
      ...(isPercent && { autoscaleInfoProvider: () => ({ priceRange: { minValue: 0, maxValue: 100 } }) }),
    } as const
    const pane = place === 'price' ? 0 : place === 'volume' ? VOLUME_PANE : chart.panes().length
    this.#chart = chart
    this.#settings = settings
    this.#series = Array.from({ length: Math.max(1, values.length) }, (_, index) =>
      isColumn(settings, index)
        ? chart.addSeries(HistogramSeries, look, pane)
        : chart.addSeries(LineSeries, look, pane),
    )
    const ownPane = place === 'pane' ? chart.panes()[pane] : undefined
    if (ownPane !== undefined) this.#label = createTextWatermark(ownPane, {})
    for (const price of levels) {
      this.#series[0]?.createPriceLine({ price, lineWidth: 1, lineStyle: LineStyle.Dotted, title: '' })
    }
  }

  set(points: readonly Point[]): void {
    for (const [index, series] of this.#series.entries()) series.setData(points.map((point) => pointOf(point, index)))
  }

  update(point: Point): void {
    for (const [index, series] of this.#series.entries()) series.update(pointOf(point, index))
  }

  clear(): void {
    for (const series of this.#series) series.setData([])
  }

  applyColours(colours: ChartColours): void {
    const { colour } = this.#settings
    const color = colours.lines[colour] ?? colours.text
    for (const [index, series] of this.#series.entries()) {
      const isMain = index === 0 || this.#settings.kind === 'bollinger'
      if (isColumn(this.#settings, index)) series.applyOptions({ color: withAlpha(color, 0.4) })
      else
        series.applyOptions(isMain ? { color, lineStyle: STYLES[colour] ?? LineStyle.Solid } : { color: colours.text3 })
      for (const line of series.priceLines())
        line.applyOptions({
          color: colours.lineStrong,
          axisLabelColor: colours.surface3,
          axisLabelTextColor: colours.text,
        })
    }
    const text = indicatorName(this.#settings)
    this.#label?.applyOptions({
      horzAlign: 'left',
      vertAlign: 'top',
      lines: [
        {
          text,
          color: colours.text3,
          fontSize: textPx(11),
          lineHeight: textPx(16),
          fontFamily: LABEL_FONT,
          fontStyle: '',
        },
      ],
    })
  }

  /** Sets the height of the indicator's own pane, one of `panes` such panes. */
  applyHeight(panes: number): void {
    const height = this.#chart.panes().reduce((sum, pane) => sum + pane.getHeight(), 0)
    const room = Math.max(MIN_PANE_PX, height - panes * MIN_PANE_PX)
    const share = Math.min(1, Math.max(PANE_SHARE, MIN_PANE_PX / room))
    this.#series[0]?.getPane().setStretchFactor(share)
  }

  /** Removes the lines. The pane is removed with its last line. */
  remove(): void {
    this.#label?.detach()
    for (const series of this.#series) this.#chart.removeSeries(series)
  }
}

const LABEL_FONT = '"Hanken Grotesk Variable", system-ui, sans-serif'

function isColumn({ kind }: IndicatorSettings, index: number): boolean {
  return kind === 'macd' && index === 2
}

function pointOf({ time, values }: Point, index: number) {
  const value = values?.[index]
  return value === undefined ? { time } : { time, value }
}
