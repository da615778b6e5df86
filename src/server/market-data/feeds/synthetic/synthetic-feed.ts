import { CATALOGUE, type CatalogueSymbol } from '#core/markets/catalogue.ts'
import type { Clock } from '#server/platform/runtime/ports.ts'
import { computedRecord } from '#server/market-data/feeds/base/computed-record.ts'
import { createEmitter } from '#server/market-data/feeds/base/emitter.ts'
import type { Feed } from '#server/market-data/feeds/base/feed.ts'
import { createSyntheticHistory } from '#server/market-data/feeds/synthetic/synthetic-history.ts'
import { simulatedSymbol } from '#server/market-data/feeds/synthetic/simulated-symbol.ts'
import { createSyntheticMarket, SYNTHETIC } from '#server/market-data/feeds/synthetic/synthetic-market.ts'

export interface SyntheticFeedOptions {
  readonly clock: Clock
  /** Determines the whole market: the same seed gives the same prices at the same times, also after a restart. */
  readonly seed: string
  readonly symbols?: readonly CatalogueSymbol[]
}

/**
 * An endless simulated market. Prices are a pure function of seed, symbol and time, so the past needs no storage. Future prices are fixed
 * too, but computed only when they fall due. `history` never returns future prices.
 */
export function createSyntheticFeed({ clock, seed, symbols = CATALOGUE }: SyntheticFeedOptions): Feed {
  const emitter = createEmitter(
    clock,
    symbols.map((symbol) => createSyntheticMarket(seed, symbol)),
  )
  const history = createSyntheticHistory()
  // A path caches its position. History uses separate paths, so that live ticks stay cheap.
  const pasts = new Map(symbols.map((symbol) => [symbol.id, createSyntheticMarket(seed, symbol)]))

  return {
    name: SYNTHETIC,
    symbols,
    async start(sink) {
      emitter.start(sink)
    },
    async stop() {
      emitter.stop()
    },
    async history({ symbolId, interval, before, limit }) {
      const market = pasts.get(symbolId)
      if (market === undefined) return []
      const now = clock.now()
      return await history(market, interval, { until: before < now ? before : now, limit })
    },
    async record(query) {
      const market = query.source === SYNTHETIC ? pasts.get(query.symbolId) : undefined
      return market === undefined ? null : computedRecord(market, query, clock.now())
    },
    // Any symbol can be simulated.
    more: {
      knows: () => true,
      learn(symbol) {
        const simulated = simulatedSymbol(symbol)
        pasts.set(symbol.id, createSyntheticMarket(seed, simulated))
        return () => emitter.add(createSyntheticMarket(seed, simulated))
      },
    },
  }
}
