import { averageTrueRange } from '#core/indicators/average-true-range.ts'
import { exponential, mean, overLast, weightedMean } from '#core/indicators/averages.ts'
import { bollingerBands } from '#core/indicators/bollinger-bands.ts'
import type { IndicatorSettings } from '#core/indicators/indicator-settings.ts'
import { macd } from '#core/indicators/macd.ts'
import { priceOf } from '#core/indicators/price-source.ts'
import { relativeStrength } from '#core/indicators/relative-strength.ts'
import { createIndicator, type Indicator, mapped, ofNumber, type PriceBar } from '#core/indicators/rule.ts'
import { stochastic } from '#core/indicators/stochastic.ts'
import { volumeWeightedPrice } from '#core/indicators/volume-weighted-price.ts'
import { unreachable } from '#core/result.ts'

/** The values of an indicator, in the order of `INDICATORS`. */
export type IndicatorValues = readonly number[]

const closeOf = ({ close }: PriceBar) => close
const volumeOf = ({ volume }: PriceBar) => volume
const alone = (value: number): IndicatorValues => [value]

/** Starts an indicator. `sessionStart` gives the start of the session that a time belongs to. */
export function indicatorOf(
  { kind, parameters, source }: IndicatorSettings,
  sessionStart: (time: number) => number,
): Indicator<IndicatorValues> {
  const [first = 0, second = 0, third = 0] = parameters
  switch (kind) {
    case 'sma':
      return createIndicator(mapped(ofNumber(overLast(first, mean), priceOf(source)), alone))
    case 'ema':
      return createIndicator(mapped(ofNumber(exponential(first), priceOf(source)), alone))
    case 'wma':
      return createIndicator(mapped(ofNumber(overLast(first, weightedMean), priceOf(source)), alone))
    case 'bollinger': {
      const bands = ofNumber(bollingerBands(first, second), closeOf)
      return createIndicator(mapped(bands, ({ lower, middle, upper }) => [lower, middle, upper]))
    }
    case 'vwap':
      return createIndicator(mapped(volumeWeightedPrice(sessionStart), alone))
    case 'volume_average':
      return createIndicator(mapped(ofNumber(overLast(first, mean), volumeOf), alone))
    case 'rsi':
      return createIndicator(mapped(ofNumber(relativeStrength(first), closeOf), alone))
    case 'macd': {
      const lines = ofNumber(macd({ fast: first, slow: second, signal: third }), closeOf)
      return createIndicator(mapped(lines, (one) => [one.macd, one.signal, one.difference]))
    }
    case 'stochastic': {
      const lines = stochastic({ n: first, smoothK: second, smoothD: third })
      return createIndicator(mapped(lines, ({ k, d }) => [k, d]))
    }
    case 'atr':
      return createIndicator(mapped(averageTrueRange(first), alone))
    default:
      return unreachable(kind)
  }
}

/**
 * Returns how many bars an indicator needs until its first bar changes the values by less than a millionth of the
 * price. `sessionBars` is the number of bars of a session.
 */
export function warmUpOf({ kind, parameters }: IndicatorSettings, sessionBars: number): number {
  const [first = 0, second = 0, third = 0] = parameters
  switch (kind) {
    case 'ema':
      return 8 * first
    case 'macd':
      return 8 * (Math.max(first, second) + third)
    case 'rsi':
    case 'atr':
      return 15 * first
    case 'vwap':
      return sessionBars
    case 'stochastic':
      return first + second + third
    default:
      return first
  }
}
