import type { PlannedClosure } from '#core/markets/calendar/trading.ts'
import type { MarketSymbol, MarketType } from '#core/markets/market.ts'
import type { Split } from '#core/markets/splits/splits.ts'
import type { BasisPoints, Money } from '#core/money/money.ts'
import type { Instant } from '#core/time/instant.ts'

/** A symbol with what the operator says of it. */
export interface ListedSymbol extends MarketSymbol {
  readonly productId: string
  readonly isFeatured: boolean
  readonly color: string
  readonly image: string
  /** Closed by hand, with a reason everyone sees; null leaves it to the calendar. */
  readonly closedReason: string | null
  /** Those that count, past and announced, in their order. */
  readonly splits: readonly Split[]
}

export interface TradeSetting {
  readonly id: number
  readonly seconds: number
  readonly unit: 'minute' | 'hour' | 'day'
  readonly minimum: Money
  readonly maximum: Money
  /** The one in force now, for everyone alike. */
  readonly payout: BasisPoints
  /** The change that is announced, if there is one. */
  readonly nextPayout: { readonly payout: BasisPoints; readonly appliesFrom: Instant } | null
}

/** What can be traded, on what terms: read from the database once and again after a change. */
export interface MarketCatalogue {
  readonly symbols: readonly ListedSymbol[]
  /** Those that are no longer listed too: orders on them are still open, and histories name them. */
  readonly known: readonly ListedSymbol[]
  readonly settings: readonly TradeSetting[]
  readonly quickAmounts: readonly Money[]
  /** Market types closed by hand, with the reason. */
  readonly closures: ReadonlyMap<MarketType, string>
  /** Closures that were planned and are not over, by any market type. */
  readonly planned: readonly PlannedClosure[]
  /** By code or product id, in any case. */
  find(symbol: string): ListedSymbol | null
  byId(id: number): ListedSymbol | null
  /** How old the price may be that settles orders of this expiry: a change of the limit does not reach open orders. */
  tickAgeAt(symbolId: number, expiresAt: Instant): number | null
  reload(): Promise<void>
}
