import type { MarketCatalogue } from '#server/market-data/catalogue/market-catalogue.ts'
import type { Ticks } from '#server/market-data/ticks.ts'
import type { Ctx } from '#server/platform/context/context.ts'

/** The dependencies of calls about markets. */
export interface MarketParts {
  readonly ctx: Ctx
  readonly catalogue: MarketCatalogue
  readonly ticks: Ticks
}
