import { barOpenTime } from '#core/markets/candle.ts'
import type { MarketSymbol } from '#core/markets/market.ts'
import { chunk } from '#server/platform/concurrency/chunk.ts'
import type { Feed } from '#server/market-data/feeds/base/feed.ts'
import type { HistoryUpdates } from '#server/market-data/ticks/history-updates.ts'
import { createPriceReader } from '#server/market-data/ticks/price-reader.ts'
import { connectTickParts, type TicksOptions } from '#server/market-data/ticks/tick-parts.ts'
import type { TickService } from '#server/market-data/ticks.ts'

const SYMBOLS_AT_ONCE = 4

/** The stream of prices: the log first, then all state derived from it in memory. */
export function createTicks(options: TicksOptions): TickService {
  const { ctx, feed, symbols } = options
  learnAddedSymbols(feed, symbols)
  const parts = connectTickParts(options)
  const { listeners, states, candles, coverage, gaps, history, recovery, memory, role } = parts
  const unsubscribe = followHistory(options, history)

  async function restore(some: readonly MarketSymbol[]): Promise<void> {
    await recovery.restore(some)
    if (role.isLeader) await recovery.prepareWriting(some, role.fence)
    for (const batch of chunk(some, SYMBOLS_AT_ONCE)) await Promise.all(batch.map(({ id }) => history.fillDay(id)))
  }

  function expectPrices(symbol: MarketSymbol): void {
    const watermark = states.get(symbol.id)?.watermark ?? null
    if (watermark !== null) gaps.track(symbol, watermark)
    // The symbol has no price yet. When the feed loads history from its sources, prices count as missed since the start
    // of the day, so that the feed requests the bars of this time.
    else if (feed.onHistoryChanged !== undefined) gaps.track(symbol, barOpenTime(ctx.now(), '1d'))
    else gaps.track(symbol, ctx.now())
  }

  return {
    ...createPriceReader({ ctx, states, candles, coverage }),
    source: feed.name,
    sources: () => role.sources(),
    knows: (symbol) => feed.more?.knows(symbol) ?? false,
    async add(symbol) {
      if (states.get(symbol.id) !== undefined) return
      states.create(symbol.id)
      const startTicks = feed.more?.learn(symbol)
      try {
        await restore([symbol])
      } catch (error) {
        // Without its state, the symbol can be added again.
        states.delete(symbol.id)
        throw error
      }
      states.followed.push(symbol)
      expectPrices(symbol)
      parts.orderGuard.know(symbol.id)
      startTicks?.()
    },
    async start() {
      parts.begin()
      await role.findEnd()
      await restore(states.followed)
      // Orders do not wait for the day's figures.
      void parts.edges.start()
      for (const symbol of states.followed) expectPrices(symbol)
      await role.start()
    },
    async stop() {
      unsubscribe()
      await role.stop()
      await history.idle()
      await parts.edges.stop()
      await parts.writer.stop()
      await gaps.stop()
    },
    lastMessageAt: () => memory.lastMessageAt,
    aheadOfClockMs: () => states.newestTime() - ctx.now(),
    isLeader: () => role.isLeader,
    waiting: () => role.waiting,
    record: async (query) => (await feed.record?.(query)) ?? null,
    appendLate: (batch) => role.appendLate(batch),
    waitUntilCaughtUp: () => role.waitUntilCaughtUp(),
    waitingSince: (symbolId) => role.waitingSince(symbolId),
    writerToken: () => role.writerToken(),
    head: () => role.head,
    onHistoryChanged: (listener) => listeners.historyChanged.subscribe(listener),
    onBatch: (listener) => listeners.batch.subscribe(listener),
    onCandleClosed: (listener) => listeners.candleClosed.subscribe(listener),
    onDayKnown: (listener) => listeners.dayKnown.subscribe(listener),
  }
}

/** Only the server that writes the log fetches bars. The other servers read them from the database. */
function followHistory({ ctx, feed }: TicksOptions, history: HistoryUpdates): () => void {
  feed.onHistoryChanged?.((range) => ctx.publish({ kind: 'history-fetched', ...range }))
  return ctx.subscribe((event) => {
    if (event.kind === 'candles-rebuilt') history.reloadRebuilt(event)
    if (event.kind === 'history-fetched') history.feedChanged(event)
  })
}

/** Adds the symbols of this installation that are missing from the feed's own list. */
function learnAddedSymbols(feed: Feed, symbols: readonly MarketSymbol[]): void {
  const own = new Set(feed.symbols.map(({ id }) => id))
  for (const symbol of symbols) if (!own.has(symbol.id) && feed.more?.knows(symbol)) feed.more.learn(symbol)()
}
