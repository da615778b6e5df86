import { setImmediate as breathe } from 'node:timers/promises'
import { foldCandle, type Candle } from '#core/markets/candle.ts'
import { instant, DAY_MS, later, MINUTE_MS, type Instant } from '#core/time/instant.ts'
import type { ChartInterval } from '#core/time/chart-interval.ts'
import { createCandleCache } from '#server/feeds/synthetic/candle-cache.ts'
import { createSessionLookup } from '#server/feeds/session-lookup.ts'
import type { SyntheticMarket } from '#server/feeds/synthetic/synthetic-market.ts'

/** The simulated past begins here, 2010-01-01. Our calendar reaches back so far. */
export const SYNTHETIC_BEGINNING = instant(Date.UTC(2010, 0, 1))

export interface PastQuery {
  readonly interval: ChartInterval
  /** Only minutes that have ended by then are told: a candle of a longer interval may be unfinished. */
  readonly until: Instant
  readonly limit: number
}

export interface SyntheticHistory {
  candles(market: SyntheticMarket, query: PastQuery): Promise<Candle[]>
}

const CACHED_CANDLES = 200_000
/** Other work gets a turn after so many minutes have been computed, which takes a few milliseconds. */
const MINUTES_IN_A_ROW = 6_000

/**
 * Candles of the simulated past, computed when asked for, a day at a time; a finished day is kept for the next asker.
 * Every candle is the fold of its minutes, so the intervals agree with each other exactly.
 */
export function createSyntheticHistory(): SyntheticHistory {
  const cache = createCandleCache(CACHED_CANDLES)

  function candlesOfDay(market: SyntheticMarket, day: number, interval: ChartInterval, until: Instant) {
    const key = `${market.symbolId}/${interval}/${day}`
    const known = cache.get(key)
    if (known !== undefined) return { candles: known, cost: 0 }
    const dayEnds = instant((day + 1) * DAY_MS)
    const computed = foldMinutes(market, instant(day * DAY_MS), until < dayEnds ? until : dayEnds, interval)
    if (until >= dayEnds) cache.put(key, computed.candles)
    return computed
  }

  return {
    async candles(market, { interval, until, limit }) {
      const found: (readonly Candle[])[] = []
      let count = 0
      let work = 0
      for (let day = Math.ceil(until / DAY_MS) - 1; day * DAY_MS >= SYNTHETIC_BEGINNING && count < limit; day -= 1) {
        const { candles, cost } = candlesOfDay(market, day, interval, until)
        found.push(candles)
        count += candles.length
        work += cost
        if (work < MINUTES_IN_A_ROW) continue
        await breathe()
        work = 0
      }
      return limit > 0 ? found.toReversed().flat().slice(-limit) : []
    },
  }
}

/** Folds the minutes of [from, until) in which the market is open; only whole minutes count. */
function foldMinutes(market: SyntheticMarket, from: Instant, until: Instant, interval: ChartInterval) {
  const sessionFor = createSessionLookup(market.symbol.marketType)
  const candles: Candle[] = []
  let current: Candle | null = null
  let cost = 0
  for (let minute = from; minute + MINUTE_MS <= until; minute = later(minute, MINUTE_MS)) {
    const { open } = sessionFor(minute)
    if (open > minute) {
      // Sessions open on whole minutes.
      minute = later(open, -MINUTE_MS)
      continue
    }
    const next: Candle = foldCandle(current, market.minuteCandle(minute), interval)
    if (current !== null && next.openTime !== current.openTime) candles.push(current)
    current = next
    cost += 1
  }
  if (current !== null) candles.push(current)
  return { candles, cost }
}
