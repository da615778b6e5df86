import type { MarketSymbol, MarketType } from '#core/markets/market.ts'
import type { BasisPoints, Money } from '#core/money/money.ts'

/** A symbol with what the operator says of it. */
export interface ListedSymbol extends MarketSymbol {
  readonly productId: string
  readonly isFeatured: boolean
  readonly color: string
  readonly image: string
  /** Closed by hand, with a reason everyone sees; null leaves it to the calendar. */
  readonly closedReason: string | null
}

export interface TradeSetting {
  readonly id: number
  readonly seconds: number
  readonly unit: 'minute' | 'hour' | 'day'
  readonly minimum: Money
  readonly maximum: Money
  readonly payout: BasisPoints
}

/** What can be traded, on what terms: read from the database once and again after a change. */
export interface MarketCatalogue {
  readonly symbols: readonly ListedSymbol[]
  readonly settings: readonly TradeSetting[]
  readonly quickAmounts: readonly Money[]
  /** Market types closed by hand, with the reason. */
  readonly closures: ReadonlyMap<MarketType, string>
  /** By code or product id, in any case. */
  find(symbol: string): ListedSymbol | null
  byId(id: number): ListedSymbol | null
  reload(): Promise<void>
}
