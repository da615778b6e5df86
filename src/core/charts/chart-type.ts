import { type ChartInterval, isChartInterval } from '#core/time/chart-interval.ts'

export const CHART_TYPES = ['candles', 'hollow', 'bars', 'line', 'area', 'heikin_ashi'] as const
export type ChartType = (typeof CHART_TYPES)[number]

/** The type and interval of a chart. */
export interface ChartLook {
  readonly type: ChartType
  readonly interval: ChartInterval
}

/** Parses a stored type and interval. A missing or unknown value becomes its preset. */
export function readChartLook({ type, interval }: Partial<Record<keyof ChartLook, unknown>>): ChartLook {
  return {
    type: CHART_TYPES.find((one) => one === type) ?? 'candles',
    interval: typeof interval === 'string' && isChartInterval(interval) ? interval : '1m',
  }
}
