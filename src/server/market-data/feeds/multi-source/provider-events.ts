import { countUnused, type UnusedTradeCounts } from '#core/markets/sources/unused-trade.ts'
import type { Instant } from '#core/time/instant.ts'
import type { Clock, Log } from '#server/platform/runtime/ports.ts'
import type { UnplacedTrades } from '#server/market-data/feeds/base/feed.ts'
import type { ProblemLog } from '#server/market-data/feeds/multi-source/problem-log.ts'
import type { ProviderRoutes, Route } from '#server/market-data/feeds/multi-source/provider-routes.ts'
import type { ProviderSink, ProviderTrouble } from '#server/market-data/feeds/providers/provider.ts'

export interface ProviderEventsParts {
  readonly clock: Clock
  readonly log: Log
  readonly routes: ProviderRoutes
  readonly trouble: ProblemLog
}

/** While the feed runs, passes a provider's events to the symbols that use this provider as a source. */
export class ProviderEvents {
  readonly #parts: ProviderEventsParts
  readonly #unplaced = new Map<string, UnusedTradeCounts>()
  #isOpen = false

  constructor(parts: ProviderEventsParts) {
    this.#parts = parts
  }

  open(): void {
    this.#isOpen = true
  }

  close(): void {
    this.#isOpen = false
  }

  /** Trades that made no price and belong to no followed symbol. */
  unplaced(): UnplacedTrades[] {
    return [...this.#unplaced].map(([provider, unused]) => ({ provider, unused: { ...unused } }))
  }

  /** Returns the receiver of one provider's messages. */
  sinkOf(provider: string): ProviderSink {
    const { log, routes } = this.#parts
    return {
      quote: (quote) =>
        this.#each(provider, quote.symbol, ({ followed, index }, now) => followed.quote(index, quote, now)),
      alive: (symbol, time) =>
        this.#each(provider, symbol, ({ followed, index }, now) => followed.alive(index, time, now)),
      connected: () => log.info({ provider }, 'connected to a provider of prices'),
      unused: (symbol, reason, back) => {
        if (symbol !== null && routes.of(provider, symbol).length > 0) {
          return this.#each(provider, symbol, ({ followed, index }) => followed.unused(index, reason, back))
        }
        const counts = this.#unplaced.get(provider) ?? {}
        countUnused(counts, reason)
        this.#unplaced.set(provider, counts)
      },
      trouble: (what) => this.#takeTrouble(provider, what),
    }
  }

  #takeTrouble(provider: string, what: ProviderTrouble): void {
    if (!this.#isOpen) return
    this.#parts.trouble(provider, what, this.#parts.clock.now())
    if (what.kind === 'refused' && what.symbol !== null) {
      this.#each(provider, what.symbol, ({ followed, index }, now) => followed.refused(index, now))
    }
    if (what.kind === 'lost' && what.symbol !== null) {
      const { from } = what
      this.#each(provider, what.symbol, ({ followed, index }, now) =>
        from === undefined ? followed.interrupted(index) : followed.lost(index, from, now),
      )
    }
    if (what.kind === 'disconnected') {
      for (const symbol of what.symbols)
        this.#each(provider, symbol, ({ followed, index }) => followed.interrupted(index))
    }
  }

  #each(provider: string, symbol: string, run: (route: Route, now: Instant) => void): void {
    if (!this.#isOpen) return
    const now = this.#parts.clock.now()
    for (const route of this.#parts.routes.of(provider, symbol)) {
      safely(this.#parts.log, { provider, symbol }, () => run(route, now))
    }
  }
}

/** Runs `run` and logs its failure, so that a fault of one source affects no other. */
export function safely(log: Log, facts: object, run: () => void): void {
  try {
    run()
  } catch (error) {
    log.error({ err: error, ...facts }, 'a price source failed')
  }
}
