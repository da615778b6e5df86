import { type ChartLook, readChartLook } from '#core/charts/chart-type.ts'
import { type IndicatorSettings, readIndicators } from '#core/indicators/indicator-settings.ts'

/** A user's settings for charts. */
export interface DeskSettings extends ChartLook {
  readonly logarithmic: boolean
  readonly indicators: readonly IndicatorSettings[]
}

/** Parses settings that a client sent. A missing or unknown value becomes its preset. */
export function readDeskSettings(given: Partial<Record<keyof DeskSettings, unknown>>): DeskSettings {
  return {
    ...readChartLook(given),
    logarithmic: given.logarithmic === true,
    indicators: readIndicators(Array.isArray(given.indicators) ? given.indicators : []),
  }
}
