import type { KlineMessage } from '#contract/live/candle-socket.ts'
import type { CandleMeta, KlineRow } from '#contract/markets.ts'
import { candlePageAt, isPastPage } from '#core/markets/candle-page.ts'
import type { ChartInterval } from '#core/time/chart-interval.ts'
import { instant } from '#core/time/instant.ts'
import { call } from '#web/api/call.ts'
import { loadCandlePage } from '#web/api/load-candle-page.ts'
import type { Bar } from '#web/chart/bar.ts'

export interface CandleQuery {
  symbol: string
  interval: ChartInterval
  limit?: number
  /** Only candles that opened before this time, in milliseconds UTC. */
  before?: number
}

/** Loads candles, oldest first. The last one may still be open. */
export async function loadBars(query: CandleQuery, signal?: AbortSignal): Promise<Bar[]> {
  const { symbol, interval, limit = 500, before } = query
  const body = { symbol, interval, limit, ...(before !== undefined && { endTime: before - 1 }) }
  const { data, meta } = await call('POST /user/kline-historical', { body, signal })
  return barsOf(data, meta)
}

/**
 * Loads the candles just before a time from a cached page. If that page is empty (a night, a weekend) or not yet past,
 * the function requests candles by count instead.
 */
export async function loadPastBars(query: CandleQuery & { now: number }, signal: AbortSignal): Promise<Bar[]> {
  const { symbol, interval, before, now } = query
  if (before === undefined) return loadBars(query, signal)
  const page = candlePageAt(instant(before - 1), interval)
  if (isPastPage(page, interval, instant(Math.floor(now)))) {
    const { data, meta } = await loadCandlePage({ productId: symbol, interval, page }, signal)
    const bars = barsOf(data, meta).filter((bar) => bar.time < before)
    if (bars.length > 0) return bars
  }
  return loadBars(query, signal)
}

/** Display names of the providers. */
const NAMES: Readonly<Record<string, string>> = {
  binance: 'Binance',
  coinbase: 'Coinbase',
  finnhub: 'Finnhub',
  synthetic: 'Simulation',
}

function barsOf(rows: readonly KlineRow[], meta: CandleMeta | undefined): Bar[] {
  const stretches = meta?.provider ?? []
  const partial = new Set(meta?.partial)
  return rows.map(([time, open, high, low, close, volume]) => {
    const source = stretches.find(([from, until]) => from <= time && time < until)?.[2]
    const bar = { time, open, high, low, close, volume, ...(partial.has(time) && { isPartial: true as const }) }
    return source === undefined ? bar : { ...bar, source: NAMES[source] ?? source }
  })
}

export function barOfMessage({ t, o, h, l, c, v }: KlineMessage['k']): Bar {
  return { time: t, open: Number(o), high: Number(h), low: Number(l), close: Number(c), volume: Number(v) }
}
