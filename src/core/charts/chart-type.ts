import { type ChartInterval, isChartInterval } from '#core/time/chart-interval.ts'

export const CHART_TYPES = ['candles', 'hollow', 'bars', 'line', 'area', 'heikin_ashi'] as const
export type ChartType = (typeof CHART_TYPES)[number]

/** Lines of ticks that can replace the bars: the newest tick of each second, or every tick. */
export const TICK_VIEWS = ['second', 'every'] as const
export type TickView = (typeof TICK_VIEWS)[number]

/** The type, interval and view of a chart. */
export interface ChartLook {
  readonly type: ChartType
  readonly interval: ChartInterval
  /** The line of ticks that replaces the bars. Null: the chart shows bars of this type and interval. */
  readonly ticks: TickView | null
}

/** Parses the stored look of a chart. A missing or unknown value becomes its preset. */
export function readChartLook({ type, interval, ticks }: Partial<Record<keyof ChartLook, unknown>>): ChartLook {
  return {
    type: CHART_TYPES.find((one) => one === type) ?? 'candles',
    interval: typeof interval === 'string' && isChartInterval(interval) ? interval : '1m',
    ticks: TICK_VIEWS.find((one) => one === ticks) ?? null,
  }
}
