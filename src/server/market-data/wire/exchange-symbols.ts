import type { z } from 'zod'
import type { ExchangeProduct, ExchangeSymbol } from '#contract/exchange-rest.ts'
import { formatDecimal } from '#core/money/decimal.ts'
import { tickerProduct } from '#server/market-data/wire/tick-messages.ts'
import type { ListedSymbol } from '#server/market-data/catalogue/market-catalogue.ts'

const PRECISION = 8

/** Describes a symbol in Binance's form. */
export function toExchangeSymbol(symbol: ListedSymbol, isOpen: boolean): z.input<typeof ExchangeSymbol> {
  const { base, quote } = currenciesOf(symbol)
  const tickSize = increment(symbol.decimals)
  return {
    symbol: symbol.productId,
    status: isOpen ? 'TRADING' : 'BREAK',
    baseAsset: base,
    baseAssetPrecision: PRECISION,
    quoteAsset: quote,
    quotePrecision: PRECISION,
    quoteAssetPrecision: PRECISION,
    orderTypes: [],
    isSpotTradingAllowed: false,
    isMarginTradingAllowed: false,
    // A zero in these filters means no limit.
    filters: [{ filterType: 'PRICE_FILTER', minPrice: increment(null), maxPrice: increment(null), tickSize }],
    permissions: [],
  }
}

/** Describes a symbol in Coinbase Exchange's form. */
export function toExchangeProduct(symbol: ListedSymbol, isOpen: boolean): z.input<typeof ExchangeProduct> {
  const id = tickerProduct(symbol)
  const [base_currency = '', quote_currency = ''] = id.split('-')
  return {
    id,
    base_currency,
    quote_currency,
    quote_increment: increment(symbol.decimals),
    base_increment: increment(PRECISION),
    display_name: `${base_currency}/${quote_currency}`,
    margin_enabled: false,
    post_only: false,
    limit_only: false,
    cancel_only: false,
    trading_disabled: true,
    status: isOpen ? 'online' : 'offline',
    status_message: symbol.closedReason ?? '',
  }
}

/** Lists the currencies of the symbols. A base currency has the name of its symbol, any other currency its own code. */
export function exchangeCurrencies(symbols: readonly ListedSymbol[]): { id: string; name: string; status: 'online' }[] {
  const names = new Map(symbols.map((symbol) => [currenciesOf(symbol).base, symbol.name]))
  for (const symbol of symbols) {
    const { quote } = currenciesOf(symbol, tickerProduct(symbol))
    if (!names.has(quote)) names.set(quote, quote)
  }
  return [...names].map(([id, name]) => ({ id, name, status: 'online' as const }))
}

/** `BTC` and `USDT` of `BTCUSDT`; `EUR` and `USD` of a pair; the quote currency of a stock is `USD`. */
function currenciesOf(symbol: ListedSymbol, product = symbol.productId): { base: string; quote: string } {
  const [base = '', quote = ''] = tickerProduct(symbol).split('-')
  return { base, quote: product === `${base}USDT` ? 'USDT' : quote }
}

/** One unit of the last decimal; zero for null. */
function increment(decimals: number | null): string {
  const unit = decimals === null ? 0n : 10n ** BigInt(PRECISION - decimals)
  return formatDecimal(unit, PRECISION)
}
