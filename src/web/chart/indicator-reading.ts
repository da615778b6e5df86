import type { IndicatorValues } from '#core/indicators/create-indicator.ts'
import { indicatorName, type IndicatorSettings, INDICATORS } from '#core/indicators/indicator-settings.ts'
import { axisPrice, shortVolume } from '#web/chart/chart-options.ts'
import type { IndicatorReading } from '#web/chart/indicators.ts'

/** Two decimals more than the price has: differences of prices are much smaller than prices. */
const MORE_DECIMALS = 2

/** Returns the decimals of an indicator's values; null for volumes, which are shortened. */
export function decimalsOf({ kind }: IndicatorSettings, priceDecimals: number): number | null {
  if (INDICATORS[kind].place === 'price') return priceDecimals
  if (kind === 'volume_average') return null
  return kind === 'rsi' || kind === 'stochastic' ? 2 : priceDecimals + MORE_DECIMALS
}

/** Returns an indicator's values as texts. */
export function readingOf(
  settings: IndicatorSettings,
  values: IndicatorValues | null,
  priceDecimals: number,
): IndicatorReading {
  const decimals = decimalsOf(settings, priceDecimals)
  const text = (value: number) => (decimals === null ? shortVolume(value) : axisPrice(value, decimals))
  return { name: indicatorName(settings), colour: settings.colour, values: values?.map(text) ?? null }
}
