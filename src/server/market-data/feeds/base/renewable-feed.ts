import type { MarketSymbol } from '#core/markets/market.ts'
import type { Clock, Log } from '#server/platform/runtime/ports.ts'
import type { Feed, FeedSink, HistoryRange } from '#server/market-data/feeds/base/feed.ts'

/**
 * Makes a feed that can start only once restartable. After each stop `renew` creates it again. History can then be queried before the next
 * start, and added symbols stay known. When its configuration changes, it is stopped, renewed and started.
 */
export function renewableFeed(
  first: Feed,
  { clock, log }: { readonly clock: Clock; readonly log: Log },
  makeAgain: () => Promise<Feed>,
): Feed {
  let inner = first
  const timers = new Set<() => void>()
  let changing: Promise<void> = Promise.resolve()
  const learnt: MarketSymbol[] = []
  const listeners = new Set<(stretch: HistoryRange) => void>()
  const tell = (stretch: HistoryRange): void => {
    for (const listener of listeners) listener(stretch)
  }
  first.onHistoryChanged?.(tell)

  async function start(sink: FeedSink): Promise<void> {
    const { changesAt = null } = inner
    await inner.start(sink)
    if (changesAt === null) return
    const cancel = clock.after(Math.max(0, changesAt - clock.now()), () => {
      timers.delete(cancel)
      changing = change(sink)
    })
    timers.add(cancel)
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
      await changing
      for (const cancel of timers) cancel()
      timers.clear()
      await inner.stop()
    },
    history: (query) => inner.history(query),
    sources: () => inner.sources?.() ?? [],
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
    ...(first.more && {
      more: {
        knows: (symbol: Omit<MarketSymbol, 'id'>) => inner.more?.knows(symbol) ?? false,
        learn(symbol: MarketSymbol) {
          learnt.push(symbol)
          return inner.more?.learn(symbol) ?? (() => {})
        },
      },
    }),
    renew,
  }
}
