import type { SplitOut } from '#contract/markets.ts'
import type { MarketType } from '#core/markets/market.ts'

/** What the chart is told of its symbol. */
export interface ChartSymbol {
  readonly code: string
  readonly productId: string
  readonly marketType: MarketType
  readonly decimals: number
  readonly splits: readonly SplitOut[]
  /** As people write it: "BTC/USDT". */
  readonly title: string
}
