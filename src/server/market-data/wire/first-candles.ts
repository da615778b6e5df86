import type { Candle } from '#core/markets/candle.ts'
import { type ChartInterval, intervalMs } from '#core/time/chart-interval.ts'
import { instant, type Instant } from '#core/time/instant.ts'
import type { Ticks } from '#server/market-data/ticks.ts'

/** The number of bars that one step reads. */
const BARS_AT_ONCE = 1_000
/** The maximum number of steps: enough to skip a market closed for four days, minute by minute. */
const MAX_STEPS = 6

export interface FirstCandlesQuery {
  readonly symbolId: number
  readonly interval: ChartInterval
  readonly from: Instant
  /** The end of the range, exclusive. */
  readonly until: Instant
  readonly limit: number
}

/** Returns the first candles of a time range, ascending. Closed hours in between have no candles and do not end the search. */
export async function firstCandles(ticks: Pick<Ticks, 'candles'>, query: FirstCandlesQuery): Promise<Candle[]> {
  const { symbolId, interval, from, until, limit } = query
  const found: Candle[] = []
  let begin: number = from
  for (let step = 0; step < MAX_STEPS && begin < until && found.length < limit; step += 1) {
    const before = instant(Math.min(begin + BARS_AT_ONCE * intervalMs(interval), until))
    const candles = await ticks.candles({ symbolId, interval, before, limit: BARS_AT_ONCE })
    for (const candle of candles) if (candle.openTime >= begin) found.push(candle)
    begin = before
  }
  return found.slice(0, limit)
}
