import type { MarketSymbol } from '#core/markets/market.ts'
import type { Instant } from '#core/time/instant.ts'
import type { Clock, Log } from '#server/platform/runtime/ports.ts'
import type { Feed } from '#server/market-data/feeds/base/feed.ts'
import type { Limits } from '#server/market-data/feeds/multi-source/feeds-file.ts'
import type { Provider, ProviderSymbol } from '#server/market-data/feeds/providers/provider.ts'

export interface MarketFeedOptions {
  readonly clock: Clock
  readonly log: Log
  /** Keyed by provider name. */
  readonly providers: ReadonlyMap<string, Provider>
  /** The symbols followed from the start. Each has sources. */
  readonly symbols: readonly MarketSymbol[]
  /** The sources of a symbol; null when the configuration does not name any. */
  readonly sourcesOf: (symbol: Pick<MarketSymbol, 'code' | 'marketType'>) => SymbolSources | null
  /** Candles from before our own ticks. */
  readonly history: Feed['history']
  /** Receives incidents for the operator and the public list. Must return at once and never throw. */
  readonly onIncident: (incident: IncidentNote) => void
}

/** The sources of a symbol as in the feeds file, with the effective limits. */
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

/** A problem with prices: at one moment, or its beginning or end. */
export interface IncidentNote {
  readonly phase: 'happened' | 'began' | 'ended'
  readonly kind: IncidentKind
  /** Null when the incident concerns a provider as a whole. */
  readonly symbolId: number | null
  /** The provider's name; null when it concerns no particular provider. */
  readonly source: string | null
  readonly at: Instant
  /** A short text for operators. */
  readonly detail: string
}
