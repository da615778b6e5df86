import { barOpenTime, foldCandles, type Candle } from '#core/markets/candle.ts'
import type { MarketType } from '#core/markets/market.ts'
import { intervalMs, type ChartInterval } from '#core/time/chart-interval.ts'
import { instant, type Instant } from '#core/time/instant.ts'
import { createSessionLookup } from '#server/market-data/feeds/base/session-lookup.ts'

export interface Stretch {
  readonly from: Instant
  /** The end of the range, exclusive. */
  readonly until: Instant
}

/**
 * The candles of a time range, ascending. `candleOf` makes the candle for a part of a bar inside one session, never for closed hours, and
 * returns null for a part without ticks.
 */
export function sessionCandles(
  marketType: MarketType,
  interval: ChartInterval,
  { from, until }: Stretch,
  candleOf: (openTime: Instant, part: Stretch) => Candle | null,
): Candle[] {
  const sessionFor = createSessionLookup(marketType)
  const parts: Candle[] = []
  for (let at = from; at < until; ) {
    const { open, close } = sessionFor(at)
    const begins = open > at ? open : at
    if (begins >= until) break
    const openTime = barOpenTime(begins, interval)
    at = instant(Math.min(openTime + intervalMs(interval), close, until))
    const part = candleOf(openTime, { from: begins, until: at })
    if (part !== null) parts.push(part)
  }
  // A day's bar may hold the end of one session and the start of the next.
  return foldCandles(parts, interval)
}
