import type { MarketSymbol } from '#core/markets/market.ts'
import type { Instant } from '#core/time/instant.ts'
import type { Clock, Log } from '#server/platform/runtime/ports.ts'
import type { Feed } from '#server/market-data/feeds/base/feed.ts'
import type { Limits } from '#server/market-data/feeds/multi-source/feeds-file.ts'
import type { Provider, ProviderSymbol } from '#server/market-data/feeds/providers/provider.ts'

export interface MarketFeedOptions {
  readonly clock: Clock
  readonly log: Log
  /** By name. */
  readonly providers: ReadonlyMap<string, Provider>
  /** What is followed from the start; each of them has sources. */
  readonly symbols: readonly MarketSymbol[]
  /** Where the prices of a symbol come from; null when the configuration does not say. */
  readonly sourcesOf: (symbol: Pick<MarketSymbol, 'code' | 'marketType'>) => SymbolSources | null
  /** Candles from before our own ticks. */
  readonly history: Feed['history']
  /** Hears what an operator, and later everyone, may read. Answers at once and never throws. */
  readonly onIncident: (incident: IncidentNote) => void
}

/** As in the file, with the limits that hold. */
export interface SymbolSources {
  readonly sources: readonly SymbolSource[]
  readonly limits: Limits
}

export interface SymbolSource extends ProviderSymbol {
  /** The provider's name. */
  readonly provider: string
}

export const INCIDENT_KINDS = [
  'switched',
  'silent',
  'late',
  'refused',
  'divergence',
  'spike_dropped',
  'lost',
  'gap',
] as const
export type IncidentKind = (typeof INCIDENT_KINDS)[number]

/** Something that went wrong with prices: at one moment, or the beginning or the end of it. */
export interface IncidentNote {
  readonly phase: 'happened' | 'began' | 'ended'
  readonly kind: IncidentKind
  /** Null when it is about a provider as a whole. */
  readonly symbolId: number | null
  /** The provider's name; null when it is about none in particular. */
  readonly source: string | null
  readonly at: Instant
  /** In short words for an operator. */
  readonly detail: string
}
