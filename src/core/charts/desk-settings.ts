import { type ChartLook, readChartLook } from '#core/charts/chart-type.ts'
import { type IndicatorSettings, readIndicators } from '#core/indicators/indicator-settings.ts'

/** How a user looks at charts. */
export interface DeskSettings extends ChartLook {
  readonly logarithmic: boolean
  readonly indicators: readonly IndicatorSettings[]
}

/** Reads settings of a client. Takes the preset for each missing or unknown value. */
export function readDeskSettings(given: Partial<Record<keyof DeskSettings, unknown>>): DeskSettings {
  return {
    ...readChartLook(given),
    logarithmic: given.logarithmic === true,
    indicators: readIndicators(Array.isArray(given.indicators) ? given.indicators : []),
  }
}
