import type { MarketSymbol } from '#core/markets/market.ts'
import { countUnused, type UnusedTradeCounts } from '#core/markets/sources/unused-trade.ts'
import { assert } from '#core/result.ts'
import type { Instant } from '#core/time/instant.ts'
import type { Feed, FeedSink, SourceHealth, UnplacedTrades } from '#server/market-data/feeds/base/feed.ts'
import { FollowedSymbol } from '#server/market-data/feeds/multi-source/followed-symbol.ts'
import type { MarketFeedOptions, SymbolSources } from '#server/market-data/feeds/multi-source/market-feed-options.ts'
import { ProviderRoutes } from '#server/market-data/feeds/multi-source/provider-routes.ts'
import { createProblemLog } from '#server/market-data/feeds/multi-source/problem-log.ts'
import type { Provider, ProviderSink } from '#server/market-data/feeds/providers/provider.ts'

export const MARKET = 'market'

/** Reports the beginning of prices at the first message instead of the start, because connecting takes a while. */
function fromFirstWord(sink: FeedSink, startedAt: Instant): FeedSink {
  let hasBegun = false
  const begin = (symbolId: number, time: Instant): void => {
    if (!hasBegun) sink.begins?.(symbolId, time > startedAt ? time : startedAt)
    hasBegun = true
  }
  return {
    ...sink,
    tick(tick) {
      begin(tick.symbolId, tick.time)
      sink.tick(tick)
    },
    heartbeat(symbolId, time) {
      begin(symbolId, time)
      sink.heartbeat(symbolId, time)
    },
  }
}

/** How often time-dependent states are checked: a dead source is noticed at most this much later. */
const LOOK_MS = 200
const COUNTS_MS = 60_000

/**
 * Real prices: one feed of all configured providers. Each symbol has its own judge (see `SourceArbiter`), so a fault of one provider or
 * symbol affects no other.
 */
export function createMarketFeed(options: MarketFeedOptions): Feed {
  const { clock, log, providers, sourcesOf, history, onIncident } = options
  const routes = new ProviderRoutes()
  const followed: FollowedSymbol[] = []
  const waiting = new Map(options.symbols.map((symbol) => [symbol.id, symbol]))
  const unplaced = new Map<string, UnusedTradeCounts>()
  const trouble = createProblemLog({ log, routes, onIncident })
  let sink: FeedSink | null = null
  let cancelLook: (() => void) | null = null
  let countedAt = clock.now()

  for (const symbol of options.symbols) subscribe(mustHave(symbol))

  /** Subscribes all symbols before the providers start, so that each can send one request. */
  function subscribe({ sources }: SymbolSources): void {
    for (const { provider: name, symbol, channel } of sources) {
      guarded('follow', name, (provider) => provider.follow({ symbol, channel }))
    }
  }

  function begin(symbol: MarketSymbol, to: FeedSink): void {
    const from = mustHave(symbol)
    const startedAt = clock.now()
    const sinkOfSymbol = fromFirstWord(to, startedAt)
    const one = new FollowedSymbol({ symbol, from, startedAt, sink: sinkOfSymbol, onIncident })
    followed.push(one)
    routes.add(one, from.sources)
  }

  function mustHave(symbol: MarketSymbol): SymbolSources {
    const from = sourcesOf(symbol)
    assert(from !== null && from.sources.length > 0, `${symbol.code} has a source of prices`)
    return from
  }

  function sinkOf(name: string): ProviderSink {
    const each = (symbol: string, what: (one: FollowedSymbol, index: 0 | 1, now: Instant) => void): void => {
      if (sink === null) return
      const now = clock.now()
      for (const { followed: one, index } of routes.of(name, symbol)) {
        safely({ provider: name, symbol }, () => what(one, index, now))
      }
    }
    return {
      quote: (quote) => each(quote.symbol, (one, index, now) => one.quote(index, quote, now)),
      alive: (symbol, time) => each(symbol, (one, index, now) => one.alive(index, time, now)),
      connected: () => log.info({ provider: name }, 'connected to a provider of prices'),
      unused(symbol, reason) {
        if (symbol !== null && routes.of(name, symbol).length > 0) {
          return each(symbol, (one, index) => one.unused(index, reason))
        }
        const counts = unplaced.get(name) ?? {}
        countUnused(counts, reason)
        unplaced.set(name, counts)
      },
      trouble(what) {
        if (sink === null) return
        trouble(name, what, clock.now())
        if (what.kind === 'refused' && what.symbol !== null) {
          each(what.symbol, (one, index, now) => one.refused(index, now))
        }
        if (what.kind === 'lost' && what.symbol !== null) {
          const { from } = what
          each(what.symbol, (one, index, now) =>
            from === undefined ? one.interrupted(index) : one.lost(index, from, now),
          )
        }
        if (what.kind === 'disconnected') {
          for (const symbol of what.symbols) each(symbol, (one, index) => one.interrupted(index))
        }
      },
    }
  }

  function health(): SourceHealth[] {
    return followed.flatMap((one) => one.health())
  }

  function unplacedTrades(): UnplacedTrades[] {
    return [...unplaced].map(([provider, unused]) => ({ provider, unused: { ...unused } }))
  }

  function look(): void {
    const now = clock.now()
    for (const one of followed) safely({}, () => one.look(now))
    if (now - countedAt >= COUNTS_MS) {
      countedAt = now
      trouble.counts([...health(), ...unplacedTrades()].map(({ unused }) => unused))
    }
    cancelLook = clock.after(LOOK_MS, look)
  }

  function guarded(what: string, name: string, call: (provider: Provider) => void): void {
    const provider = providers.get(name)
    assert(provider !== undefined, `there is a provider ${name}`)
    safely({ provider: name, what }, () => call(provider))
  }

  function safely(facts: object, run: () => void): void {
    try {
      run()
    } catch (error) {
      log.error({ err: error, ...facts }, 'a price source failed')
    }
  }

  return {
    name: MARKET,
    symbols: options.symbols,
    history,
    async start(to) {
      assert(sink === null && followed.length === 0, 'a feed of providers starts once')
      sink = to
      for (const symbol of waiting.values()) begin(symbol, to)
      for (const name of providers.keys()) guarded('start', name, (provider) => provider.start(sinkOf(name)))
      look()
    },
    async stop() {
      sink = null
      cancelLook?.()
      cancelLook = null
      const stopped = await Promise.allSettled([...providers.values()].map(async (provider) => provider.stop()))
      for (const one of stopped) if (one.status === 'rejected') log.warn({ err: one.reason }, 'a provider did not stop')
    },
    sources: () => health().map((one) => ({ ...one, restsUntil: providers.get(one.provider)?.restsUntil?.() ?? null })),
    unplaced: unplacedTrades,
    more: {
      knows: (symbol) => sourcesOf(symbol) !== null,
      learn: (symbol) => () => {
        if (sourcesOf(symbol) === null) return log.warn({ symbol: symbol.code }, 'a symbol has no price source')
        subscribe(mustHave(symbol))
        if (sink === null) waiting.set(symbol.id, symbol)
        else begin(symbol, sink)
      },
    },
  }
}
