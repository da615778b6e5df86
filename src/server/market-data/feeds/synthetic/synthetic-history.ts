import { barOpenTime, type Candle } from '#core/markets/candle.ts'
import type { ChartInterval } from '#core/time/chart-interval.ts'
import { DAY_MS, instant, later, MINUTE_MS } from '#core/time/instant.ts'
import { candlesDayByDay, type DayOfCandles, type Page } from '#server/market-data/feeds/base/day-by-day.ts'
import { sessionCandles, type Stretch } from '#server/market-data/feeds/base/session-candles.ts'
import { createCandleCache } from '#server/market-data/feeds/synthetic/candle-cache.ts'
import type { SyntheticMarket } from '#server/market-data/feeds/synthetic/synthetic-market.ts'

export type SyntheticHistory = (market: SyntheticMarket, interval: ChartInterval, page: Page) => Promise<Candle[]>

const CACHED_CANDLES = 200_000

/**
 * Candles of the simulated past, computed on request. A finished day is cached. Every candle is the fold of its minutes, so the intervals
 * agree exactly. Only finished minutes are returned, so the newest candle of a longer interval may be unfinished.
 */
export function createSyntheticHistory(): SyntheticHistory {
  const cache = createCandleCache(CACHED_CANDLES)

  return async (market, interval, page) =>
    await candlesDayByDay(page, (day) => {
      const from = instant(day * DAY_MS)
      const dayEnds = later(from, DAY_MS)
      if (page.until < dayEnds) return computeCandles(market, interval, { from, until: barOpenTime(page.until, '1m') })
      const key = `${market.symbolId}/${interval}/${day}`
      const known = cache.get(key)
      if (known !== undefined) return { candles: known, cost: 0 }
      const computed = computeCandles(market, interval, { from, until: dayEnds })
      cache.put(key, computed.candles)
      return computed
    })
}

function computeCandles(market: SyntheticMarket, interval: ChartInterval, stretch: Stretch): DayOfCandles {
  let minutes = 0
  const candles = sessionCandles(market.symbol.marketType, interval, stretch, (openTime, part) => {
    minutes += (part.until - part.from) / MINUTE_MS
    return market.candleOf(openTime, part)
  })
  return { candles, cost: minutes }
}
