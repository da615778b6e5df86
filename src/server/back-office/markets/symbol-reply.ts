import type { SymbolRow } from '#contract/back-office/symbols.ts'
import { MAX_TICK_AGE_MS } from '#core/markets/catalogue.ts'
import { readMarketType } from '#core/markets/market.ts'
import { priceNumber } from '#core/money/price.ts'
import { assert } from '#core/result.ts'
import { type Instant, toIso } from '#core/time/instant.ts'
import type { StoredSymbol } from '#server/back-office/markets/symbols.queries.ts'
import type { MarketCatalogue } from '#server/market-data/catalogue/market-catalogue.ts'
import { marketHours } from '#server/market-data/hours/market-status.ts'
import type { TickService } from '#server/market-data/ticks.ts'

interface RowFacts {
  readonly catalogue: MarketCatalogue
  readonly ticks: Pick<TickService, 'latest'>
  readonly now: Instant
}

export function toSymbolRow(symbol: StoredSymbol, facts: RowFacts): SymbolRow {
  const marketType = readMarketType(symbol.market_type)
  assert(marketType, 'a symbol belongs to a kind of market we have')
  const latest = facts.ticks.latest(symbol.id)
  return {
    code: symbol.code,
    name: symbol.name,
    market_type: marketType,
    is_listed: facts.catalogue.find(symbol.code)?.id === symbol.id,
    is_featured: symbol.is_featured,
    ...openness(symbol.closed_reason, marketType, facts),
    decimals: symbol.decimals,
    tick_size: (10 ** -symbol.decimals).toFixed(symbol.decimals),
    max_tick_age_ms: facts.catalogue.byId(symbol.id)?.maxTickAgeMs ?? MAX_TICK_AGE_MS[marketType],
    source: symbol.source,
    provider_symbol: symbol.provider_symbol,
    sort: symbol.sort,
    color: symbol.color,
    image: symbol.image,
    price: latest && priceNumber(latest.price, symbol.decimals),
    price_at: latest && toIso(latest.time),
    version: symbol.version,
  }
}

function openness(
  ownReason: string | null,
  marketType: SymbolRow['market_type'],
  { catalogue, now }: RowFacts,
): Pick<SymbolRow, 'is_open' | 'closed_by' | 'closed_reason'> {
  if (ownReason !== null) return { is_open: false, closed_by: 'symbol', closed_reason: ownReason }
  const { isOpen, reason } = marketHours(catalogue, marketType, now)
  if (isOpen) return { is_open: true, closed_by: null, closed_reason: null }
  const closedBy = catalogue.closures.has(marketType) ? 'market' : reason === null ? 'calendar' : 'plan'
  return { is_open: false, closed_by: closedBy, closed_reason: reason }
}
