import { CHART_TYPES, type ChartType } from '#core/charts/chart-type.ts'
import { type IndicatorSettings, readIndicators } from '#core/indicators/indicator-settings.ts'
import { type ChartInterval, isChartInterval } from '#core/time/chart-interval.ts'

/** How a user looks at charts. */
export interface DeskSettings {
  readonly type: ChartType
  readonly interval: ChartInterval
  readonly logarithmic: boolean
  readonly indicators: readonly IndicatorSettings[]
}

/** Reads settings of a client. Takes the preset for each missing or unknown value. */
export function readDeskSettings(given: Partial<Record<keyof DeskSettings, unknown>>): DeskSettings {
  const { type, interval, logarithmic, indicators } = given
  return {
    type: CHART_TYPES.find((one) => one === type) ?? 'candles',
    interval: typeof interval === 'string' && isChartInterval(interval) ? interval : '1m',
    logarithmic: logarithmic === true,
    indicators: readIndicators(Array.isArray(indicators) ? indicators : []),
  }
}
