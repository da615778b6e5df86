import type { PlannedClosure } from '#core/markets/calendar/trading.ts'
import type { MarketSymbol, MarketType } from '#core/markets/market.ts'
import type { Split } from '#core/markets/splits/splits.ts'
import type { BasisPoints, Money } from '#core/money/money.ts'
import type { Instant } from '#core/time/instant.ts'

/** A symbol with the operator's settings for it. */
export interface ListedSymbol extends MarketSymbol {
  readonly productId: string
  readonly isFeatured: boolean
  readonly color: string
  readonly image: string
  /** The reason of a manual closure, shown to all users; null leaves the symbol to the calendar. */
  readonly closedReason: string | null
  /** The effective splits, past and announced, in order. */
  readonly splits: readonly Split[]
}

export interface TradeSetting {
  readonly id: number
  readonly seconds: number
  readonly unit: 'minute' | 'hour' | 'day'
  readonly minimum: Money
  readonly maximum: Money
  /** The payout in force, the same for all users. */
  readonly payout: BasisPoints
  /** The announced change, if there is one. */
  readonly nextPayout: { readonly payout: BasisPoints; readonly appliesFrom: Instant } | null
}

/** The tradable symbols and trade terms. Read from the database at the start and after each change. */
export interface MarketCatalogue {
  readonly symbols: readonly ListedSymbol[]
  /** Includes unlisted symbols: orders on them may be open, and histories name them. */
  readonly known: readonly ListedSymbol[]
  readonly settings: readonly TradeSetting[]
  readonly quickAmounts: readonly Money[]
  /** Manually closed market types, with the reason. */
  readonly closures: ReadonlyMap<MarketType, string>
  /** Planned closures that are not over, for any market type. */
  readonly planned: readonly PlannedClosure[]
  /** Finds a symbol by code or product id, in any case. */
  find(symbol: string): ListedSymbol | null
  byId(id: number): ListedSymbol | null
  /** The maximum age of the price that settles orders of this expiry. A changed limit does not affect open orders. */
  tickAgeAt(symbolId: number, expiresAt: Instant): number | null
  reload(): Promise<void>
}
