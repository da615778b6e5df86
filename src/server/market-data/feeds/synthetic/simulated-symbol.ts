import type { CatalogueSymbol } from '#core/markets/catalogue.ts'
import type { MarketSymbol, MarketType } from '#core/markets/market.ts'
import { noiseBits, noiseKey } from '#server/market-data/feeds/synthetic/noise.ts'

/** Typical prices of each market type, from low to high, with their volatility and volume. */
const TYPICAL: Readonly<
  Record<
    MarketType,
    { readonly low: number; readonly high: number; readonly volatility: number; readonly volume: number }
  >
> = {
  crypto: { low: 0.5, high: 200, volatility: 0.8, volume: 100 },
  us_stocks: { low: 20, high: 400, volatility: 0.32, volume: 60 },
  us_fx: { low: 0.6, high: 1.8, volatility: 0.09, volume: 0.8 },
}
const TICK_SPACING_MS = 1_000
/** The lowest price in units of the last decimal. Below it a price would hardly ever move. */
const MIN_UNITS = 10_000
const BITS = 2 ** 32

/**
 * Derives the simulation parameters of a symbol that the operator added. Its code and market type determine all of them, so that no staff
 * member sets a simulated price.
 */
export function simulatedSymbol(symbol: MarketSymbol): CatalogueSymbol {
  const { low, high, volatility, volume } = TYPICAL[symbol.marketType]
  const between = noiseBits(noiseKey(`${symbol.code}/level`), 0) / BITS
  return {
    ...symbol,
    isFeatured: false,
    color: '',
    startPrice: Math.max(low * (high / low) ** between, MIN_UNITS / 10 ** symbol.decimals),
    annualVolatility: volatility,
    tickSpacingMs: TICK_SPACING_MS,
    typicalVolume: volume,
  }
}
