import type { FeedHealth } from '#contract/admin/dashboard.ts'
import { type Instant, toIso } from '#core/time/instant.ts'
import { isSymbolOpen } from '#server/markets/market-status.ts'
import type { ListedSymbol, MarketCatalogue } from '#server/markets/market-catalogue.ts'
import type { Ticks } from '#server/ticks/ticks.ts'

type SymbolHealth = FeedHealth['symbols'][number]

const ORDER: readonly SymbolHealth['state'][] = ['none', 'stale', 'fresh', 'closed']

/** How fresh the newest price of each symbol is; what is wrong comes first. */
export function feedHealth(
  parts: { readonly catalogue: MarketCatalogue; readonly ticks: Pick<Ticks, 'latest'> },
  now: Instant,
): FeedHealth {
  const symbols = parts.catalogue.symbols.map((symbol) => symbolHealth(parts, symbol, now))
  return {
    symbols: symbols.toSorted(
      (a, b) => ORDER.indexOf(a.state) - ORDER.indexOf(b.state) || a.code.localeCompare(b.code),
    ),
  }
}

function symbolHealth(
  { catalogue, ticks }: { readonly catalogue: MarketCatalogue; readonly ticks: Pick<Ticks, 'latest'> },
  symbol: ListedSymbol,
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
  }
}
