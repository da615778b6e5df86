import type { MarketStatus } from '#contract/markets.ts'
import { tradingAt } from '#core/markets/calendar/trading.ts'
import { runningMaintenance } from '#core/markets/maintenance.ts'
import { MARKET_TYPES, type MarketType } from '#core/markets/market.ts'
import type { Instant } from '#core/time/instant.ts'
import type { ListedSymbol, MarketCatalogue } from '#server/market-data/catalogue/market-catalogue.ts'

/** Whether a market is open, when that changes, and the operator's reason for a manual closure. */
export interface MarketHours {
  readonly isOpen: boolean
  /** The next opening by calendar, planned closures and maintenances while the market is closed. Null when unknown. */
  readonly opensAt: Instant | null
  /** The end of the current session; null when it has none. */
  readonly closesAt: Instant | null
  readonly reason: string | null
}

type Closures = Pick<MarketCatalogue, 'closures' | 'planned' | 'maintenance'>

export function marketHours(
  { closures, planned, maintenance }: Closures,
  marketType: MarketType,
  now: Instant,
): MarketHours {
  const running = runningMaintenance(maintenance, now)
  const byHand = closures.get(marketType) ?? running?.words ?? null
  const { isOpen, closesAt, closure } = tradingAt(marketType, now, planned)
  const opensAt = isOpen && running === null ? null : openingOf({ planned, maintenance }, marketType, now)
  return { isOpen: isOpen && byHand === null, opensAt, closesAt, reason: byHand ?? closure?.reason ?? null }
}

/** The first instant at which the market is open and no maintenance runs. Null when a maintenance has no planned end. */
function openingOf(
  { planned, maintenance }: Pick<Closures, 'planned' | 'maintenance'>,
  marketType: MarketType,
  now: Instant,
): Instant | null {
  for (let at = now; ; ) {
    const opening = tradingAt(marketType, at, planned).opensAt ?? at
    const running = runningMaintenance(maintenance, opening)
    if (running === null) return opening
    if (running.to === null) return null
    at = running.to
  }
}

/** The open flags of all markets, in their wire format. */
export function marketStatus(catalogue: Closures, now: Instant): MarketStatus {
  const isOpen = (marketType: MarketType): boolean => marketHours(catalogue, marketType, now).isOpen
  return { crypto: isOpen('crypto'), us_stocks: isOpen('us_stocks'), us_fx: isOpen('us_fx') }
}

/** Whether a symbol trades: its market is open and the symbol is not closed manually. */
export function isSymbolOpen(catalogue: Closures, symbol: ListedSymbol, now: Instant): boolean {
  return symbol.closedReason === null && marketHours(catalogue, symbol.marketType, now).isOpen
}

export function allMarketHours(catalogue: Closures, now: Instant): ReadonlyMap<MarketType, MarketHours> {
  return new Map(MARKET_TYPES.map((marketType) => [marketType, marketHours(catalogue, marketType, now)]))
}
