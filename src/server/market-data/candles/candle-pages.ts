import { BARS_IN_PAGE, candlePageAt, candlePageSpan, isPastPage } from '#core/markets/candle-page.ts'
import { type ChartInterval, isChartInterval } from '#core/time/chart-interval.ts'
import { later } from '#core/time/instant.ts'
import type { Ctx } from '#server/platform/context/context.ts'
import { createReplyCache } from '#server/market-data/candles/reply-cache.ts'
import { prepareReply, type PreparedReply } from '#server/platform/http/prepared-reply.ts'
import { toKlines } from '#server/market-data/candles/kline-rows.ts'
import type { ListedSymbol, MarketCatalogue } from '#server/market-data/catalogue/market-catalogue.ts'
import type { Ticks } from '#server/market-data/ticks.ts'

const MAX_CACHE_BYTES = 48 * 1024 * 1024
/**
 * Clients may cache a page for 5 minutes only. A hole in the page may still be filled, and then the page gets another
 * tag.
 */
const KEEP = 'public, max-age=300'
/** When a source did not reply, clients must not cache the page, because the next request may return more candles. */
const DO_NOT_KEEP = 'no-store'
const PREFIX = '/api/candles/'

/** Pages of closed candles as bytes that are built once and sent unchanged. */
export interface CandlePages {
  /** The cached page at an address (`/api/candles/BTCUSDT/1m/57869`); null when it is not cached. */
  find(url: string): PreparedReply | null
  /** The page of a symbol; null while part of it lies in the future. */
  page(symbol: ListedSymbol, interval: ChartInterval, page: number): Promise<PreparedReply | null>
}

export interface CandlePagesParts {
  readonly ctx: Pick<Ctx, 'now'>
  readonly ticks: Pick<Ticks, 'shownCandles' | 'onHistoryChanged'>
  readonly catalogue: Pick<MarketCatalogue, 'findKnown'>
}

export function createCandlePages({ ctx, ticks, catalogue }: CandlePagesParts): CandlePages {
  const replies = createReplyCache(MAX_CACHE_BYTES)
  const making = new Map<string, Promise<PreparedReply>>()

  ticks.onHistoryChanged(({ symbolId, interval, from, until }) => {
    const last = candlePageAt(later(until, -1), interval)
    for (let page = candlePageAt(from, interval); page <= last; page += 1) {
      const key = keyOf(symbolId, interval, page)
      replies.remove(key)
      // A page that is being built may use data from before this change, so it is sent but not cached.
      making.delete(key)
    }
  })

  async function make(symbol: ListedSymbol, interval: ChartInterval, page: number): Promise<PreparedReply> {
    const { from, until } = candlePageSpan(page, interval)
    let isIncomplete = false
    const query = { symbolId: symbol.id, interval, before: until, limit: BARS_IN_PAGE }
    const shown = await ticks.shownCandles(query, () => {
      isIncomplete = true
    })
    const inside = shown.filter(({ candle }) => candle.openTime >= from)
    const { rows, meta } = toKlines(inside, { interval, decimals: symbol.decimals, isIncomplete })
    return await prepareReply({ data: rows, meta }, isIncomplete ? DO_NOT_KEEP : KEEP)
  }

  return {
    find(url) {
      if (!url.startsWith(PREFIX)) return null
      const [product = '', interval = '', page = '', ...rest] = url.slice(PREFIX.length).split('/')
      if (rest.length > 0 || !isChartInterval(interval)) return null
      const symbol = catalogue.findKnown(product)
      return symbol === null ? null : replies.get(keyOf(symbol.id, interval, page))
    },
    async page(symbol, interval, page) {
      if (!isPastPage(page, interval, ctx.now())) return null
      const key = keyOf(symbol.id, interval, page)
      const known = replies.get(key) ?? making.get(key)
      if (known) return await known
      const pending = make(symbol, interval, page)
      making.set(key, pending)
      try {
        const reply = await pending
        if (making.get(key) === pending && reply.cacheControl === KEEP) replies.put(key, reply)
        return reply
      } finally {
        if (making.get(key) === pending) making.delete(key)
      }
    },
  }
}

function keyOf(symbolId: number, interval: string, page: number | string): string {
  return `${symbolId}/${interval}/${page}`
}
