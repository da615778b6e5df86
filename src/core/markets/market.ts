/** The folder of the symbols' pictures on the site. */
export const SYMBOL_IMAGE_PATH = '/images/symbols/'

/** The three kinds of market, as they are called on the wire. */
export const MARKET_TYPES = ['crypto', 'us_stocks', 'us_fx'] as const
export type MarketType = (typeof MARKET_TYPES)[number]

/** The specification calls forex `us_fx` in one place and `usd_fx` in another; both are taken. */
export function readMarketType(text: string): MarketType | null {
  if (text === 'usd_fx') return 'us_fx'
  return (MARKET_TYPES as readonly string[]).includes(text) ? (text as MarketType) : null
}

/** A traded instrument. `decimals` fixes the unit of its prices: one unit is 10^-decimals, its tick size. */
export interface MarketSymbol {
  readonly id: number
  /** `BTC`, `AAPL`, `EURUSD`: what people type. Upper case. */
  readonly code: string
  readonly name: string
  readonly marketType: MarketType
  readonly decimals: number
  /** How old, in milliseconds, the newest tick may be for an order to be taken or settled on it. */
  readonly maxTickAgeMs: number
}

/** The exchanges' name of a symbol: `BTCUSDT` for crypto, the plain code otherwise. */
export function productId(symbol: Pick<MarketSymbol, 'code' | 'marketType'>): string {
  return symbol.marketType === 'crypto' ? `${symbol.code}USDT` : symbol.code
}
