import type { MarketStatus } from '#contract/markets.ts'
import { ALWAYS, nextSession } from '#core/markets/calendar/sessions.ts'
import { MARKET_TYPES, type MarketType } from '#core/markets/market.ts'
import type { Instant } from '#core/time/instant.ts'
import type { ListedSymbol, MarketCatalogue } from '#server/markets/market-catalogue.ts'

/** Whether a market is open, until or from when, and why not when it was closed by hand. */
export interface MarketHours {
  readonly isOpen: boolean
  /** The next opening by the calendar, while closed by it. */
  readonly opensAt: Instant | null
  /** The end of the running session; null when it has none. */
  readonly closesAt: Instant | null
  readonly reason: string | null
}

export function marketHours(
  { closures }: Pick<MarketCatalogue, 'closures'>,
  marketType: MarketType,
  now: Instant,
): MarketHours {
  const reason = closures.get(marketType) ?? null
  const session = nextSession(marketType, now)
  const isInSession = session.open <= now
  return {
    isOpen: isInSession && reason === null,
    opensAt: isInSession ? null : session.open,
    closesAt: isInSession && session.close !== ALWAYS.close ? session.close : null,
    reason,
  }
}

/** The flags of all markets, as the wire has them. */
export function marketStatus(catalogue: Pick<MarketCatalogue, 'closures'>, now: Instant): MarketStatus {
  const isOpen = (marketType: MarketType): boolean => marketHours(catalogue, marketType, now).isOpen
  return { crypto: isOpen('crypto'), us_stocks: isOpen('us_stocks'), us_fx: isOpen('us_fx') }
}

/** A symbol trades while its market does, unless it was closed by hand. */
export function isSymbolOpen(
  catalogue: Pick<MarketCatalogue, 'closures'>,
  symbol: ListedSymbol,
  now: Instant,
): boolean {
  return symbol.closedReason === null && marketHours(catalogue, symbol.marketType, now).isOpen
}

export function allMarketHours(
  catalogue: Pick<MarketCatalogue, 'closures'>,
  now: Instant,
): ReadonlyMap<MarketType, MarketHours> {
  return new Map(MARKET_TYPES.map((marketType) => [marketType, marketHours(catalogue, marketType, now)]))
}
