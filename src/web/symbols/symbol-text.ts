import type { MarketType } from '#core/markets/market.ts'

export interface SymbolText {
  /** What it is known by: `BTC`, `AAPL`, `EUR`. */
  base: string
  /** What it is counted in, where that is said: `/USDT`, `/USD`. */
  quote: string
}

/** "BTC/USDT", "EUR/USD": a symbol in one piece. */
export function titleOf(code: string, marketType: MarketType): string {
  const { base, quote } = symbolText(code, marketType)
  return base + quote
}

/** "BTC", "AAPL", "EUR/USD": where there is room for what it is known by alone. */
export function shortTitleOf(code: string, marketType: MarketType): string {
  return marketType === 'us_fx' ? titleOf(code, marketType) : code
}

/** A symbol the way people write it: BTC/USDT, AAPL, EUR/USD. */
export function symbolText(code: string, marketType: MarketType): SymbolText {
  switch (marketType) {
    case 'crypto':
      return { base: code, quote: '/USDT' }
    case 'us_fx':
      return code.length === 6 ? { base: code.slice(0, 3), quote: `/${code.slice(3)}` } : { base: code, quote: '' }
    case 'us_stocks':
      return { base: code, quote: '' }
    default:
      return { base: code, quote: '' } // A kind of market from a newer server.
  }
}
