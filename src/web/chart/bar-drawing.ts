import { CandlestickSeries, type IChartApiBase, type ISeriesApi, type SeriesType } from 'lightweight-charts'
import type { AveragedBar } from '#core/indicators/heikin-ashi.ts'
import type { ChartColours } from '#web/chart/chart-colours.ts'
import { candleOptions, priceFormat, secondsOf } from '#web/chart/chart-options.ts'
import type { Slot } from '#web/chart/with-holes.ts'
import type { ChartType } from '#core/charts/chart-type.ts'

export type BarSeriesApi = ISeriesApi<SeriesType>
export type BarPoint = Parameters<BarSeriesApi['update']>[0]

/** One way to draw the bars of a chart. */
export interface BarDrawing {
  readonly type: ChartType
  readonly addTo: (chart: IChartApiBase, decimals: number) => BarSeriesApi
  readonly applyColours: (series: BarSeriesApi, colours: ChartColours) => void
  /** Returns the point of each slot. */
  readonly points: (slots: readonly Slot[], colours: ChartColours) => BarPoint[]
  /** Returns the point of the last slot, after that slot has changed or was added. */
  readonly newest: (slots: readonly Slot[], colours: ChartColours) => BarPoint
  /** Returns the averaged bar of a slot. Only for drawings of prices that were not traded. */
  readonly averagedAt: (index: number) => AveragedBar | null
}

/** Labels and lines at the last price are drawn with the orders, always at the real price. */
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
