import type { SplitOut } from '#contract/markets.ts'
import type { MarketType } from '#core/markets/market.ts'

/** The properties of a symbol that the chart needs. */
export interface ChartSymbol {
  readonly code: string
  readonly productId: string
  readonly marketType: MarketType
  readonly decimals: number
  readonly splits: readonly SplitOut[]
  /** The display name: "BTC/USDT". */
  readonly title: string
}
