import type { MarketSymbol } from '#core/markets/market.ts'
import { assert } from '#core/result.ts'
import { readQuotePrice, readQuoteVolume } from '#core/markets/sources/read-quote.ts'
import type { Feed, FeedSink } from '#server/feeds/feed.ts'
import type { MarketFeedOptions } from '#server/feeds/market/market-feed-options.ts'
import type { ProviderSink } from '#server/feeds/providers/provider.ts'

export const MARKET = 'market'

/** Real prices: one feed of all the providers that the configuration names. */
export function createMarketFeed(options: MarketFeedOptions): Feed {
  const { log, providers, symbols, sourcesOf, history } = options
  const routes = new Map<string, Map<string, MarketSymbol>>()
  let sink: FeedSink | null = null

  function follow(symbol: MarketSymbol): void {
    const first = sourcesOf(symbol)?.sources[0]
    assert(first !== undefined, `${symbol.code} has a source`)
    const known = routes.get(first.provider) ?? new Map<string, MarketSymbol>()
    routes.set(first.provider, known.set(first.symbol, symbol))
    providers.get(first.provider)?.follow(first)
  }

  function sinkOf(name: string): ProviderSink {
    return {
      quote(quote) {
        const symbol = routes.get(name)?.get(quote.symbol)
        if (symbol === undefined) return
        const price = readQuotePrice(quote.price, symbol.decimals)
        const volume = readQuoteVolume(quote.volume)
        if (price === null || volume === null) return
        sink?.tick({ symbolId: symbol.id, price, volume, time: quote.time, source: name })
      },
      alive(symbol, time) {
        const known = routes.get(name)?.get(symbol)
        if (known !== undefined) sink?.heartbeat(known.id, time)
      },
      connected: () => undefined,
      trouble: (trouble) => log.warn({ provider: name, ...trouble }, 'a provider of prices has trouble'),
    }
  }

  for (const symbol of symbols) follow(symbol)
  return {
    name: MARKET,
    symbols,
    history,
    async start(to) {
      sink = to
      for (const [name, provider] of providers) provider.start(sinkOf(name))
    },
    async stop() {
      sink = null
      await Promise.all([...providers.values()].map((provider) => provider.stop()))
    },
    more: {
      knows: (symbol) => sourcesOf(symbol) !== null,
      learn: (symbol) => () => follow(symbol),
    },
  }
}
