import type { MarketSymbol } from '#core/markets/market.ts'
import { assert } from '#core/result.ts'
import type { Log } from '#server/platform/runtime/ports.ts'
import type { Feed, FeedSink, SourceHealth } from '#server/market-data/feeds/base/feed.ts'
import { readRecord } from '#server/market-data/feeds/multi-source/read-record.ts'
import { fromFirstMessage } from '#server/market-data/feeds/multi-source/from-first-message.ts'
import { ProviderEvents, safely } from '#server/market-data/feeds/multi-source/provider-events.ts'
import { FollowedSymbol } from '#server/market-data/feeds/multi-source/followed-symbol.ts'
import type { MarketFeedOptions, SymbolSources } from '#server/market-data/feeds/multi-source/market-feed-options.ts'
import { ProviderRoutes } from '#server/market-data/feeds/multi-source/provider-routes.ts'
import { createProblemLog } from '#server/market-data/feeds/multi-source/problem-log.ts'
import type { Provider } from '#server/market-data/feeds/providers/provider.ts'

export const MARKET = 'market'

/** How often time-dependent states are checked: a dead source is noticed at most this much later. */
const LOOK_MS = 200
const COUNTS_MS = 60_000

/**
 * Real prices: one feed of all configured providers. Each symbol has its own arbiter (see `SourceArbiter`), so a fault of one provider or
 * symbol affects no other.
 */
export function createMarketFeed(options: MarketFeedOptions): Feed {
  const { clock, log, providers, sourcesOf, history, onIncident } = options
  const routes = new ProviderRoutes()
  const followed: FollowedSymbol[] = []
  const waiting = new Map(options.symbols.map((symbol) => [symbol.id, symbol]))
  const trouble = createProblemLog({ log, routes, onIncident })
  const events = new ProviderEvents({ clock, log, routes, trouble })
  let sink: FeedSink | null = null
  let cancelLook: (() => void) | null = null
  let countedAt = clock.now()

  for (const symbol of options.symbols) subscribe(requiredSources(options, symbol))
  /** Subscribes all symbols before the providers start, so that each provider can send one request for all of them. */
  function subscribe({ sources }: SymbolSources): void {
    for (const { provider: name, symbol, channel } of sources) {
      guarded('follow', name, (provider) => provider.follow({ symbol, channel }))
    }
  }

  function begin(symbol: MarketSymbol, to: FeedSink): void {
    const from = requiredSources(options, symbol)
    const startedAt = clock.now()
    const one = new FollowedSymbol({ symbol, from, startedAt, sink: fromFirstMessage(to, startedAt), onIncident })
    followed.push(one)
    routes.add(one, from.sources)
  }

  const health = (): SourceHealth[] => followed.flatMap((one) => one.health())

  function look(): void {
    const now = clock.now()
    for (const one of followed) safely(log, {}, () => one.look(now))
    if (now - countedAt >= COUNTS_MS) {
      countedAt = now
      trouble.counts([...health(), ...events.unplaced()].map(({ unused }) => unused))
    }
    cancelLook = clock.after(LOOK_MS, look)
  }

  function guarded(what: string, name: string, call: (provider: Provider) => void): void {
    const provider = providers.get(name)
    assert(provider !== undefined, `there is a provider ${name}`)
    safely(log, { provider: name, what }, () => call(provider))
  }

  return {
    name: MARKET,
    symbols: options.symbols,
    history,
    async start(to) {
      assert(sink === null && followed.length === 0, 'a feed of providers starts once')
      sink = to
      events.open()
      for (const symbol of waiting.values()) begin(symbol, to)
      for (const name of providers.keys()) guarded('start', name, (provider) => provider.start(events.sinkOf(name)))
      look()
    },
    async stop() {
      sink = null
      events.close()
      cancelLook?.()
      cancelLook = null
      await stopAll(providers, log)
    },
    sources: () => health().map((one) => ({ ...one, restsUntil: providers.get(one.provider)?.restsUntil?.() ?? null })),
    unplaced: () => events.unplaced(),
    record: (query) => readRecord(options, query),
    more: {
      knows: (symbol) => sourcesOf(symbol) !== null,
      learn: (symbol) => () => {
        if (sourcesOf(symbol) === null) return log.warn({ symbol: symbol.code }, 'a symbol has no price source')
        subscribe(requiredSources(options, symbol))
        if (sink === null) waiting.set(symbol.id, symbol)
        else begin(symbol, sink)
      },
    },
  }
}

function requiredSources({ sourcesOf }: MarketFeedOptions, symbol: MarketSymbol): SymbolSources {
  const from = sourcesOf(symbol)
  assert(from !== null && from.sources.length > 0, `${symbol.code} has a source of prices`)
  return from
}

async function stopAll(providers: MarketFeedOptions['providers'], log: Log): Promise<void> {
  const stopped = await Promise.allSettled([...providers.values()].map(async (provider) => provider.stop()))
  for (const one of stopped) if (one.status === 'rejected') log.warn({ err: one.reason }, 'a provider did not stop')
}
