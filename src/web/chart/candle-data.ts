import type { KlineMessage } from '#contract/live/candle-socket.ts'
import type { CandleMeta, KlineRow } from '#contract/markets.ts'
import type { MarketType } from '#core/markets/market.ts'
import { candlePageAt, isPastPage } from '#core/markets/candle-page.ts'
import { type ChartInterval, intervalMs } from '#core/time/chart-interval.ts'
import { instant } from '#core/time/instant.ts'
import { call } from '#web/api/call.ts'
import { CallFailure } from '#web/api/call-failure.ts'
import { loadCandlePage } from '#web/api/load-candle-page.ts'
import type { Bar } from '#web/chart/bar.ts'
import { openTimes } from '#web/chart/with-holes.ts'
import { t } from '#web/i18n/t.ts'

export interface CandleQuery {
  symbol: string
  interval: ChartInterval
  limit?: number
  /** Only candles that opened before this time, in milliseconds UTC. */
  before?: number
}

interface PastQuery extends CandleQuery {
  marketType: MarketType
  now: number
}

/**
 * Over this many bars of open hours candles may be joined although a source did not reply: it may refuse single candles for good.
 * Longer gaps would hide hours or months that are still to come.
 */
const MAX_JOINED_GAP = 50

/** Loads candles, oldest first. The last one may still be open. */
export async function loadBars(query: CandleQuery, signal?: AbortSignal): Promise<Bar[]> {
  const { data, meta } = await request(query, signal)
  return barsOf(data, meta)
}

/**
 * Loads the candles just before a time from a cached page. If that page is empty (a night, a weekend) or not yet past,
 * the function requests candles by count instead. Throws `MissingCandles` when a source did not reply and the candles do
 * not join the time, because the chart would end where older candles exist, or leave some out.
 */
export async function loadPastBars(query: PastQuery, signal: AbortSignal): Promise<Bar[]> {
  const { symbol, interval, before, now } = query
  if (before !== undefined) {
    const page = candlePageAt(instant(before - 1), interval)
    if (isPastPage(page, interval, instant(Math.floor(now)))) {
      const { data, meta } = await loadCandlePage({ productId: symbol, interval, page }, signal)
      const bars = barsOf(data, meta).filter((bar) => bar.time < before)
      if (bars.length > 0) return meta?.incomplete === true ? joining(bars, query) : bars
    }
  }
  const { data, meta } = await request(query, signal)
  const bars = barsOf(data, meta)
  return meta?.incomplete === true ? joining(bars, query) : bars
}

function request({ symbol, interval, limit = 500, before }: CandleQuery, signal?: AbortSignal) {
  const body = { symbol, interval, limit, ...(before !== undefined && { endTime: before - 1 }) }
  return call('POST /user/kline-historical', { body, signal })
}

/** A source did not reply, and no known candle joins the time before which candles were requested. */
export class MissingCandles extends CallFailure {
  constructor() {
    super(t('common.server_error'), { kind: 'fault', status: 200, code: 'server_error' })
  }
}

/**
 * The newest bars of an incomplete reply, up to the first long gap in open hours. Throws when none joins the time before
 * which they were requested.
 */
function joining(bars: readonly Bar[], { interval, marketType, before }: PastQuery): Bar[] {
  const stepMs = intervalMs(interval)
  let next = before ?? bars.at(-1)?.time ?? 0
  const gap = bars.findLastIndex(({ time }) => {
    const isFar = openTimes(time + stepMs, next, marketType, stepMs).length >= MAX_JOINED_GAP
    next = time
    return isFar
  })
  const joined = bars.slice(gap + 1)
  if (joined.length > 0 || before === undefined) return joined
  throw new MissingCandles()
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
