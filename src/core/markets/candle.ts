import type { Price, Volume } from '#core/money/price.ts'
import type { Instant } from '#core/time/instant.ts'

/** Open, high, low, close and volume of the ticks in [openTime, openTime + interval). */
export interface Candle {
  readonly openTime: Instant
  readonly open: Price
  readonly high: Price
  readonly low: Price
  readonly close: Price
  readonly volume: Volume
}
