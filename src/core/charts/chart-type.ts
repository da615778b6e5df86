import { type ChartInterval, isChartInterval } from '#core/time/chart-interval.ts'

export const CHART_TYPES = ['candles', 'hollow', 'bars', 'line', 'area', 'heikin_ashi'] as const
export type ChartType = (typeof CHART_TYPES)[number]

/** The type and interval of a chart. */
export interface ChartLook {
  readonly type: ChartType
  readonly interval: ChartInterval
}

/** Reads a stored type and interval. Takes the preset for each missing or unknown value. */
export function readChartLook({ type, interval }: Partial<Record<keyof ChartLook, unknown>>): ChartLook {
  return {
    type: CHART_TYPES.find((one) => one === type) ?? 'candles',
    interval: typeof interval === 'string' && isChartInterval(interval) ? interval : '1m',
  }
}
