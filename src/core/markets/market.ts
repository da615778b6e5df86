/** The path of the symbols' pictures on the site. */
export const SYMBOL_IMAGE_PATH = '/images/symbols/'

/** The three market types, by their names in requests and replies. */
export const MARKET_TYPES = ['crypto', 'us_stocks', 'us_fx'] as const
export type MarketType = (typeof MARKET_TYPES)[number]

/**
 * Parses a market type. The specification calls forex `us_fx` in one place and `usd_fx` in another, so both are
 * accepted.
 */
export function readMarketType(text: string): MarketType | null {
  if (text === 'usd_fx') return 'us_fx'
  return (MARKET_TYPES as readonly string[]).includes(text) ? (text as MarketType) : null
}

/** A traded instrument. `decimals` fixes the unit of its prices: one unit is 10^-decimals, its tick size. */
export interface MarketSymbol {
  readonly id: number
  /** The code that users type, in upper case: `BTC`, `AAPL`, `EURUSD`. */
  readonly code: string
  readonly name: string
  readonly marketType: MarketType
  readonly decimals: number
  /** Maximum age, in milliseconds, of the tick at which an order may be accepted or settled. */
  readonly maxTickAgeMs: number
}

/** Returns the exchanges' name of a symbol: `BTCUSDT` for crypto, the plain code otherwise. */
export function productId(symbol: Pick<MarketSymbol, 'code' | 'marketType'>): string {
  return symbol.marketType === 'crypto' ? `${symbol.code}USDT` : symbol.code
}
