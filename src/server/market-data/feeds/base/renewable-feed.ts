import type { MarketSymbol } from '#core/markets/market.ts'
import type { Instant } from '#core/time/instant.ts'
import type { Clock, Log } from '#server/platform/runtime/ports.ts'
import type { Feed, FeedSink, HistoryRange } from '#server/market-data/feeds/base/feed.ts'

/**
 * Makes a feed restartable that by itself can start only once. After each stop, `renew` creates the feed again. History
 * can then be queried before the next start, and added symbols stay known. When its configuration changes, the feed is
 * stopped, renewed and started.
 */
export function renewableFeed(
  first: Feed,
  { clock, log }: { readonly clock: Clock; readonly log: Log },
  makeAgain: () => Promise<Feed>,
): Feed {
  let inner = first
  const nextChange = createPlannedChange(clock)
  const learnt: MarketSymbol[] = []
  const listeners = new Set<(stretch: HistoryRange) => void>()
  const tell = (stretch: HistoryRange): void => {
    for (const listener of listeners) listener(stretch)
  }
  first.onHistoryChanged?.(tell)

  async function start(sink: FeedSink): Promise<void> {
    await inner.start(sink)
    nextChange.plan(inner.changesAt ?? null, () => change(sink))
  }

  async function change(sink: FeedSink): Promise<void> {
    await inner.stop()
    await renew()
    for (const { id } of inner.symbols) sink.doubt(id, null)
    await start(sink)
  }

  async function renew(): Promise<void> {
    try {
      inner = await makeAgain()
    } catch (error) {
      log.error({ err: error }, 'the price source could not be created again: restart this server')
      return
    }
    inner.onHistoryChanged?.(tell)
    const own = new Set(inner.symbols.map(({ id }) => id))
    for (const symbol of learnt) if (!own.has(symbol.id)) inner.more?.learn(symbol)()
  }

  return {
    name: first.name,
    get symbols() {
      return inner.symbols
    },
    start,
    async stop() {
      await nextChange.end()
      await inner.stop()
    },
    history: (query) => inner.history(query),
    sources: () => inner.sources?.() ?? [],
    get clocks() {
      return inner.clocks
    },
    ...(first.storedHistory && {
      storedHistory: async (stretch: HistoryRange) => (await inner.storedHistory?.(stretch)) ?? [],
    }),
    ...(first.missed && { missed: (gap: Omit<HistoryRange, 'interval'>) => inner.missed?.(gap) }),
    ...(first.onHistoryChanged && {
      onHistoryChanged(listener: (stretch: HistoryRange) => void) {
        listeners.add(listener)
        return () => {
          listeners.delete(listener)
        }
      },
    }),
    record: async (query) => (await inner.record?.(query)) ?? null,
    ...(first.more && {
      more: {
        knows: (symbol: Omit<MarketSymbol, 'id'>) => inner.more?.knows(symbol) ?? false,
        learn(symbol: MarketSymbol) {
          // A symbol whose addition failed is learned again.
          if (!learnt.some(({ id }) => id === symbol.id)) learnt.push(symbol)
          return inner.more?.learn(symbol) ?? (() => {})
        },
      },
    }),
    renew,
  }
}

/** One change at a planned time. `end` cancels it, or waits until it is done. */
function createPlannedChange(clock: Clock) {
  let cancel: (() => void) | null = null
  let running: Promise<void> = Promise.resolve()
  return {
    plan(at: Instant | null, change: () => Promise<void>): void {
      if (at === null) return
      cancel = clock.after(Math.max(0, at - clock.now()), () => {
        running = change()
      })
    },
    async end(): Promise<void> {
      cancel?.()
      await running
      // While it ran, the change may have planned another change, which is cancelled too.
      cancel?.()
    },
  }
}
