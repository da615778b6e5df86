import { barOpenTime } from '#core/markets/candle.ts'
import type { MarketSymbol } from '#core/markets/market.ts'
import { CHART_INTERVALS, type ChartInterval, intervalMs } from '#core/time/chart-interval.ts'
import { type Instant, instant, later } from '#core/time/instant.ts'
import type { Ctx } from '#server/platform/context/context.ts'
import { PAST_BEGINS } from '#server/market-data/feeds/base/day-by-day.ts'
import {
  type Feed,
  type HistoryQuery,
  PartialHistory,
  type PastCandle,
  type HistoryRange,
} from '#server/market-data/feeds/base/feed.ts'
import {
  type QuerySourcesParts,
  createQuerySources,
} from '#server/market-data/feeds/multi-source/history/query-sources.ts'
import { createBackFill } from '#server/market-data/feeds/multi-source/history/back-fill.ts'
import { storedBars } from '#server/market-data/feeds/multi-source/history/provider-candles.queries.ts'
import {
  closedAt,
  closedUntil,
  createBackwardPaging,
} from '#server/market-data/feeds/multi-source/history/backward-paging.ts'
import { unknownRanges } from '#server/market-data/feeds/multi-source/history/unknown-ranges.ts'
import { HistoryQueries } from '#server/market-data/feeds/multi-source/history/history-queries.ts'

/** History from providers, cached in the database. `withProviderPast` combines it with a feed. */
export interface ProviderPast {
  readonly history: Feed['history']
  readonly storedHistory: NonNullable<Feed['storedHistory']>
  readonly missed: NonNullable<Feed['missed']>
  readonly onHistoryChanged: NonNullable<Feed['onHistoryChanged']>
  /** Enables queries to sources. Before, only stored bars are returned, so that a start waits for no source. */
  start(): void
  stop(): Promise<void>
  /** Adds a symbol. */
  follow(symbol: MarketSymbol): void
}

export interface ProviderPastParts extends QuerySourcesParts {
  readonly ctx: Pick<Ctx, 'db' | 'now' | 'log' | 'clock'>
  readonly symbols: readonly MarketSymbol[]
}

export function createProviderPast({ ctx, providers, sourcesOf, ...parts }: ProviderPastParts): ProviderPast {
  const { db } = ctx
  const symbols = new Map(parts.symbols.map((symbol) => [symbol.id, symbol]))
  const listeners = new Set<(stretch: HistoryRange) => void>()
  let isAsking = false
  const reach = createBackwardPaging({
    ctx,
    ask: createQuerySources({ ctx, providers, sourcesOf }),
    goesOn: () => isAsking,
    onStored(stretch) {
      for (const listener of listeners) listener(stretch)
    },
  })
  const queries = new HistoryQueries(ctx, reach)
  const backFill = createBackFill(ctx, (wanted) => queries.reachBack(wanted))

  function begin(symbol: MarketSymbol): void {
    // The source cannot return the open bar, nor a bar that ended seconds ago.
    for (const interval of CHART_INTERVALS) {
      const recentOpenTimes = [closedUntil(interval, ctx.now()), barOpenTime(ctx.now(), interval)]
      for (const openTime of new Set(recentOpenTimes)) wantOnceClosed(symbol, interval, openTime)
    }
    // This call comes last, because it sorts all jobs, including the jobs that were just added.
    backFill.add(symbol)
  }

  function wantOnceClosed(symbol: MarketSymbol, interval: ChartInterval, openTime: Instant): void {
    const end = later(openTime, intervalMs(interval))
    backFill.want({ symbol, interval, before: end, bars: 1 }, closedAt(end))
  }

  return {
    async history({ symbolId, interval, before, limit }: HistoryQuery): Promise<PastCandle[]> {
      const symbol = symbols.get(symbolId)
      if (symbol === undefined || limit <= 0) return []
      const wanted = { symbol, interval, before, bars: limit }
      const isReached = isAsking && (await queries.reachInTime(wanted)) === 'done'
      const unknown = isReached ? [] : await unknownRanges(ctx, wanted)
      const until = instant(Math.min(before, closedUntil(interval, ctx.now())))
      const candles = await storedBars(db, { symbolId, interval, from: PAST_BEGINS, until }, limit)
      if (unknown.length > 0) throw new PartialHistory(candles, unknown)
      return candles
    },
    storedHistory: ({ symbolId, interval, from, until }) =>
      storedBars(db, { symbolId, interval, from, until }, Number.MAX_SAFE_INTEGER),
    missed({ symbolId, from, until }) {
      const symbol = symbols.get(symbolId)
      if (symbol === undefined) return
      for (const interval of CHART_INTERVALS) {
        const length = intervalMs(interval)
        // Includes the bar in which the range ends. It can be requested once it has closed.
        const last = barOpenTime(later(until, -1), interval)
        const bars = Math.ceil((last - from) / length)
        if (bars > 0) backFill.want({ symbol, interval, before: last, bars }, closedAt(last))
        wantOnceClosed(symbol, interval, last)
      }
    },
    onHistoryChanged(listener) {
      listeners.add(listener)
      return () => {
        listeners.delete(listener)
      }
    },
    start() {
      isAsking = true
      for (const symbol of symbols.values()) begin(symbol)
      backFill.start()
    },
    async stop() {
      isAsking = false
      await backFill.stop()
      await queries.idle()
    },
    follow(symbol) {
      symbols.set(symbol.id, symbol)
      if (isAsking) begin(symbol)
    },
  }
}

/** A feed whose history comes from its providers. Fetching history starts after the prices do, and stops before them. */
export function withProviderPast(feed: Feed, past: ProviderPast): Feed {
  const { more } = feed
  return {
    ...feed,
    history: past.history,
    storedHistory: past.storedHistory,
    missed: past.missed,
    onHistoryChanged: past.onHistoryChanged,
    async start(sink) {
      await feed.start(sink)
      past.start()
    },
    async stop() {
      // All parts are stopped together: a source that hangs ends its call when stopped.
      await Promise.all([past.stop(), feed.stop()])
    },
    ...(more && {
      more: {
        knows: (symbol) => more.knows(symbol),
        learn(symbol) {
          past.follow(symbol)
          return more.learn(symbol)
        },
      },
    }),
  }
}
