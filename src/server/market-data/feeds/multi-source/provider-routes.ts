import type { SourceIndex } from '#core/markets/sources/arbiter-types.ts'
import type { FollowedSymbol } from '#server/market-data/feeds/multi-source/followed-symbol.ts'
import type { SymbolSource } from '#server/market-data/feeds/multi-source/market-feed-options.ts'

export interface Route {
  readonly followed: FollowedSymbol
  readonly index: SourceIndex
}

const NONE: readonly Route[] = []

/** Maps a provider's symbol to the symbols that use it as a source, usually one. */
export class ProviderRoutes {
  readonly #routes = new Map<string, Map<string, Route[]>>()

  add(followed: FollowedSymbol, sources: readonly SymbolSource[]): void {
    for (const [index, { provider, symbol }] of sources.entries()) {
      if (index !== 0 && index !== 1) continue
      const ofProvider = this.#routes.get(provider) ?? new Map<string, Route[]>()
      ofProvider.set(symbol, [...(ofProvider.get(symbol) ?? NONE), { followed, index }])
      this.#routes.set(provider, ofProvider)
    }
  }

  of(provider: string, symbol: string): readonly Route[] {
    return this.#routes.get(provider)?.get(symbol) ?? NONE
  }
}
