import { CandlestickSeries, type IChartApiBase, type ISeriesApi, type SeriesType } from 'lightweight-charts'
import type { AveragedBar } from '#core/indicators/heikin-ashi.ts'
import type { ChartColours } from '#web/chart/chart-colours.ts'
import { candleOptions, priceFormat, secondsOf } from '#web/chart/chart-options.ts'
import type { Slot } from '#web/chart/with-holes.ts'
import type { ChartType } from '#core/charts/chart-type.ts'

export type BarSeriesApi = ISeriesApi<SeriesType>
export type BarPoint = Parameters<BarSeriesApi['update']>[0]

/** How one chart type draws the bars of a chart. */
export interface BarDrawing {
  readonly type: ChartType
  readonly addTo: (chart: IChartApiBase, decimals: number) => BarSeriesApi
  readonly applyColours: (series: BarSeriesApi, colours: ChartColours) => void
  /** Returns the point of each slot. */
  readonly points: (slots: readonly Slot[], colours: ChartColours) => BarPoint[]
  /** Returns the point of the last slot, after that slot has changed or was added. */
  readonly newest: (slots: readonly Slot[], colours: ChartColours) => BarPoint
  /** Returns the averaged bar (Heikin-Ashi) of a slot; null for types that draw the traded prices. */
  readonly averagedAt: (index: number) => AveragedBar | null
}

/**
 * Returns the options of a bar series. They hide the library's label and line of the last price, because `OrderZones`
 * draws both, always at the traded price.
 */
export function seriesLook(decimals: number) {
  return { priceFormat: priceFormat(decimals), priceLineVisible: false, lastValueVisible: false } as const
}

export const CANDLES: BarDrawing = {
  type: 'candles',
  addTo: (chart, decimals) => chart.addSeries(CandlestickSeries, seriesLook(decimals)),
  applyColours: (series, colours) => series.applyOptions(candleOptions(colours)),
  points: (slots) => slots.map(candleOf),
  newest: (slots) => candleOf(slots.at(-1)),
  averagedAt: () => null,
}

function candleOf(slot: Slot | undefined): BarPoint {
  if (!slot?.bar) return { time: secondsOf(slot?.time ?? 0) }
  const { open, high, low, close } = slot.bar
  return { time: secondsOf(slot.time), open, high, low, close }
}
