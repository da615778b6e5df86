import type { MarketType } from '#core/markets/market.ts'

export interface SymbolText {
  /** The first part of the display name: `BTC`, `AAPL`, `EUR`. */
  base: string
  /** The quote currency, where it is shown: `/USDT`, `/USD`. */
  quote: string
}

/** Returns the display name of a symbol as one text: "BTC/USDT", "EUR/USD". */
export function titleOf(code: string, marketType: MarketType): string {
  const { base, quote } = symbolText(code, marketType)
  return base + quote
}

/** Returns the short display name, for narrow places: "BTC", "AAPL", "EUR/USD". */
export function shortTitleOf(code: string, marketType: MarketType): string {
  return marketType === 'us_fx' ? titleOf(code, marketType) : code
}

/** Splits a symbol into the parts of its display name: BTC/USDT, AAPL, EUR/USD. */
export function symbolText(code: string, marketType: MarketType): SymbolText {
  switch (marketType) {
    case 'crypto':
      return { base: code, quote: '/USDT' }
    case 'us_fx':
      return code.length === 6 ? { base: code.slice(0, 3), quote: `/${code.slice(3)}` } : { base: code, quote: '' }
    case 'us_stocks':
      return { base: code, quote: '' }
    default:
      return { base: code, quote: '' } // A newer server can send a type that this build does not know.
  }
}
