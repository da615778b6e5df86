import type { SourceClass } from '#core/markets/source-class.ts'
import type { PlannedClosure } from '#core/markets/calendar/trading.ts'
import type { Maintenance } from '#core/markets/maintenance.ts'
import type { MarketSymbol, MarketType } from '#core/markets/market.ts'
import type { Split } from '#core/markets/splits/splits.ts'
import type { OfferedTerms } from '#core/markets/terms/offered-terms.ts'
import type { TermsHistory } from '#core/markets/terms/terms-history.ts'
import type { Money } from '#core/money/money.ts'
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

/** A duration on offer, with its terms in force and their announced changes. All users have the same terms. */
export interface TradeSetting extends OfferedTerms {
  readonly id: number
  readonly unit: 'minute' | 'hour' | 'day'
}

export type SymbolPause = 'too_many_voids' | 'record_unread'

/** The tradable symbols and trade terms. Read from the database at the start and after each change. */
export interface MarketCatalogue {
  readonly symbols: readonly ListedSymbol[]
  /** Includes unlisted symbols: orders on them may be open, and histories name them. */
  readonly known: readonly ListedSymbol[]
  readonly settings: readonly TradeSetting[]
  /** All announced trade terms. Listed symbols, their price ages and `settings` follow from them. */
  readonly terms: TermsHistory
  readonly quickAmounts: readonly Money[]
  /** Manually closed market types, with the reason. */
  readonly closures: ReadonlyMap<MarketType, string>
  /** Planned closures that are not over, for any market type. */
  readonly planned: readonly PlannedClosure[]
  /** Times without orders that are not over: planned, running, and pauses. */
  readonly maintenance: readonly Maintenance[]
  /** Finds a listed symbol by code or product id, in any case. */
  find(symbol: string): ListedSymbol | null
  /** As `find`, for charts and prices: finds unlisted symbols too, because orders on them may be open. */
  findKnown(symbol: string): ListedSymbol | null
  byId(id: number): ListedSymbol | null
  /** The maximum age of the price that settles orders of this expiry. A changed limit does not affect open orders. */
  tickAgeAt(symbolId: number, expiresAt: Instant): number | null
  /** The class of a source of a symbol by the published configuration. `none` when the source is not in it. */
  evidenceOf(symbolId: number, source: string): SourceClass
  /** Why the symbol is paused. Null when the symbol accepts orders. No setting ends a pause. */
  pauseOf(symbolId: number, at: Instant): SymbolPause | null
  /** The hash of an entry of the trade terms, as receipts name it. Null for an unknown number. */
  termsHash(n: number): string | null
  /** Whether the register has all terms that apply at `at`. Until then no order is accepted. */
  areTermsLogged(at: Instant): boolean
  /** Reads which terms are in the register. Skips the read when all terms are known to be there. */
  refreshLogged(): Promise<void>
  reload(): Promise<void>
}
