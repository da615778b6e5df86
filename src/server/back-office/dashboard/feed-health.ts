import type { FeedHealth } from '#contract/back-office/dashboard.ts'
import { UNUSED_TRADE_REASONS, type UnusedTradeCounts } from '#core/markets/sources/unused-trade.ts'
import { TICK_REJECTION_REASONS } from '#core/markets/tick.ts'
import { type Instant, toIso } from '#core/time/instant.ts'
import type { Db } from '#server/platform/database/tables.ts'
import type { SourceHealth } from '#server/market-data/feeds/base/feed.ts'
import { listIncidents } from '#server/market-data/feeds/multi-source/incidents.queries.ts'
import type { ListedSymbol, MarketCatalogue } from '#server/market-data/catalogue/market-catalogue.ts'
import { isSymbolOpen } from '#server/market-data/hours/market-status.ts'
import type { TickService } from '#server/market-data/ticks.ts'

type SymbolHealth = FeedHealth['symbols'][number]

export interface FeedHealthParts {
  readonly catalogue: MarketCatalogue
  readonly ticks: Pick<TickService, 'latest' | 'doubt' | 'sources'>
}

const ORDER: readonly SymbolHealth['state'][] = ['none', 'stale', 'fresh', 'closed']
const INCIDENTS_SHOWN = 20

/** Returns the price age and the sources of each symbol. Symbols with problems come first. */
export async function feedHealth(parts: FeedHealthParts, db: Db, now: Instant): Promise<FeedHealth> {
  const { sources, unplaced, keptOut } = parts.ticks.sources()
  const symbols = parts.catalogue.symbols.map((symbol) => symbolHealth(parts, symbol, sources, now))
  return {
    symbols: symbols.toSorted((a, b) => rank(a) - rank(b) || a.code.localeCompare(b.code)),
    unplaced: unplaced.map(({ provider, unused }) => ({ provider, unused: toUnusedReply(unused) })),
    kept_out: TICK_REJECTION_REASONS.flatMap((reason) => {
      const count = keptOut[reason] ?? 0
      return count > 0 ? [{ reason, count }] : []
    }),
    incidents: await newestIncidents(parts, db),
  }
}

function symbolHealth(
  { catalogue, ticks }: FeedHealthParts,
  symbol: ListedSymbol,
  sources: readonly SourceHealth[],
  now: Instant,
): SymbolHealth {
  const tick = ticks.latest(symbol.id)
  const ageMs = tick === null ? null : Math.max(0, now - tick.time)
  const ifOpen = ageMs === null ? 'none' : ageMs > symbol.maxTickAgeMs ? 'stale' : 'fresh'
  return {
    code: symbol.code,
    market_type: symbol.marketType,
    state: isSymbolOpen(catalogue, symbol, now) ? ifOpen : 'closed',
    source: tick?.source ?? null,
    tick_at: tick === null ? null : toIso(tick.time),
    age_ms: ageMs,
    max_age_ms: symbol.maxTickAgeMs,
    doubt: ticks.doubt(symbol.id),
    sources: sources.filter(({ symbolId }) => symbolId === symbol.id).map((source) => toSourceReply(source, now)),
  }
}

function toSourceReply(
  { provider, providerSymbol, state, isUsed, newestAt, heardAt, unused, restsUntil = null }: SourceHealth,
  now: Instant,
): SymbolHealth['sources'][number] {
  return {
    provider,
    symbol: providerSymbol,
    state,
    is_used: isUsed,
    age_ms: newestAt === null ? null : Math.max(0, now - newestAt),
    latency_ms: newestAt === null || heardAt === null ? null : heardAt - newestAt,
    unused: toUnusedReply(unused),
    rests_until: restsUntil === null ? null : toIso(restsUntil),
  }
}

function toUnusedReply(unused: Readonly<UnusedTradeCounts>) {
  return UNUSED_TRADE_REASONS.flatMap((reason) => {
    const count = unused[reason] ?? 0
    return count > 0 ? [{ reason, count }] : []
  })
}

/**
 * Returns the rank of a symbol in the list. Fresh prices that are suspect or have a failed source rank directly before
 * other fresh prices.
 */
function rank({ state, doubt, sources }: SymbolHealth): number {
  const isTroubled = doubt !== null || (state !== 'closed' && sources.some((source) => source.state !== 'well'))
  return ORDER.indexOf(state) - (isTroubled && state === 'fresh' ? 0.5 : 0)
}

async function newestIncidents({ catalogue }: FeedHealthParts, db: Db): Promise<FeedHealth['incidents']> {
  const incidents = await listIncidents(db, { limit: INCIDENTS_SHOWN })
  return incidents.map(({ id, kind, symbolId, source, at, lasts, endedAt, detail }) => ({
    id,
    kind,
    symbol: symbolId === null ? null : (catalogue.byId(symbolId)?.code ?? String(symbolId)),
    source,
    at: toIso(at),
    lasts,
    ended_at: endedAt === null ? null : toIso(endedAt),
    detail,
  }))
}
