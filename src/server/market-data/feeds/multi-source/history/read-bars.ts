import { type Candle, foldCandles } from '#core/markets/candle.ts'
import type { MarketSymbol, MarketType } from '#core/markets/market.ts'
import { readQuotePrice, readQuoteVolume } from '#core/markets/sources/read-quote.ts'
import { CHART_INTERVALS, type ChartInterval, intervalMs } from '#core/time/chart-interval.ts'
import type { ProviderCandle } from '#server/market-data/feeds/providers/provider.ts'
import { createSessionLookup } from '#server/market-data/feeds/base/session-lookup.ts'

/**
 * The longest bars that begin and end with a session. A provider's longer bars also contain trades before and after it (New York opens at
 * half past nine), or follow another clock than UTC. So longer bars are folded from these.
 */
const MAX_SESSION_INTERVAL: Record<MarketType, ChartInterval> = { crypto: '1d', us_stocks: '30m', us_fx: '1h' }

/** The provider's interval from which to make bars of `interval`; null when it has none. */
export function intervalToAsk(
  marketType: MarketType,
  interval: ChartInterval,
  offered: (interval: ChartInterval) => boolean,
): ChartInterval | null {
  const maxMs = Math.min(intervalMs(interval), intervalMs(MAX_SESSION_INTERVAL[marketType]))
  return CHART_INTERVALS.findLast((one) => intervalMs(one) <= maxMs && offered(one)) ?? null
}

/**
 * Whether a provider's bars begin at the same times as ours. A provider's daily bars of a stock, for example, begin at
 * midnight in New York.
 */
export function areAligned(bars: readonly ProviderCandle[], interval: ChartInterval): boolean {
  return bars.every(({ openTime }) => openTime % intervalMs(interval) === 0)
}

/**
 * Converts a provider's bars to candles of an interval. Leaves out bars that are unreadable, run back or lie outside the sessions. Only
 * session prices count.
 */
export function readBars(
  bars: readonly ProviderCandle[],
  symbol: MarketSymbol,
  sourceInterval: ChartInterval,
  interval: ChartInterval,
): Candle[] {
  const sessionFor = createSessionLookup(symbol.marketType)
  const length = intervalMs(sourceInterval)
  let last = Number.NEGATIVE_INFINITY
  const candles = bars.flatMap((bar) => {
    if (bar.openTime <= last || sessionFor(bar.openTime).open >= bar.openTime + length) return []
    const candle = readBar(bar, symbol.decimals)
    if (candle === null) return []
    last = bar.openTime
    return [candle]
  })
  return sourceInterval === interval ? candles : foldCandles(candles, interval)
}

function readBar(bar: ProviderCandle, decimals: number): Candle | null {
  const open = readQuotePrice(bar.open, decimals)
  const high = readQuotePrice(bar.high, decimals)
  const low = readQuotePrice(bar.low, decimals)
  const close = readQuotePrice(bar.close, decimals)
  const traded = readQuoteVolume(bar.volume)
  if (open === null || high === null || low === null || close === null || traded === null) return null
  if (low > Math.min(open, close) || high < Math.max(open, close)) return null
  return { openTime: bar.openTime, open, high, low, close, volume: traded }
}
