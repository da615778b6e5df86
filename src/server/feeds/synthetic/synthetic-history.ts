import { foldCandle, type Candle } from '#core/markets/candle.ts'
import type { ChartInterval } from '#core/time/chart-interval.ts'
import { DAY_MS, instant, later, MINUTE_MS, type Instant } from '#core/time/instant.ts'
import { candlesDayByDay, type DayOfCandles, type Page } from '#server/feeds/day-by-day.ts'
import { createSessionLookup } from '#server/feeds/session-lookup.ts'
import { createCandleCache } from '#server/feeds/synthetic/candle-cache.ts'
import type { SyntheticMarket } from '#server/feeds/synthetic/synthetic-market.ts'

export type SyntheticHistory = (market: SyntheticMarket, interval: ChartInterval, page: Page) => Promise<Candle[]>

const CACHED_CANDLES = 200_000

/**
 * Candles of the simulated past, computed when asked for; a finished day is kept for the next asker. Every candle is
 * the fold of its minutes, so the intervals agree with each other exactly. Only minutes that have ended are told, so
 * the newest candle of a longer interval may be unfinished.
 */
export function createSyntheticHistory(): SyntheticHistory {
  const cache = createCandleCache(CACHED_CANDLES)

  return async (market, interval, page) =>
    await candlesDayByDay(page, (day) => {
      const from = instant(day * DAY_MS)
      const dayEnds = instant((day + 1) * DAY_MS)
      if (page.until < dayEnds) return foldMinutes(market, interval, from, page.until)
      const key = `${market.symbolId}/${interval}/${day}`
      const known = cache.get(key)
      if (known !== undefined) return { candles: known, cost: 0 }
      const computed = foldMinutes(market, interval, from, dayEnds)
      cache.put(key, computed.candles)
      return computed
    })
}

/** Folds the whole minutes of [from, until) in which the market is open. */
function foldMinutes(market: SyntheticMarket, interval: ChartInterval, from: Instant, until: Instant): DayOfCandles {
  const sessionFor = createSessionLookup(market.symbol.marketType)
  const candles: Candle[] = []
  let current: Candle | null = null
  let cost = 0
  let minute = from
  while (minute + MINUTE_MS <= until) {
    const { open } = sessionFor(minute)
    if (open > minute) {
      minute = open // sessions open on whole minutes
      continue
    }
    const next: Candle = foldCandle(current, market.minuteCandle(minute), interval)
    if (current !== null && next.openTime !== current.openTime) candles.push(current)
    current = next
    cost += 1
    minute = later(minute, MINUTE_MS)
  }
  if (current !== null) candles.push(current)
  return { candles, cost }
}
