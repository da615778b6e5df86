import type { TickMessage } from '#contract/live/app-socket.ts'
import type { TickerMessage } from '#contract/live/ticker-socket.ts'
import type { Tick } from '#core/markets/tick.ts'
import { type Price, priceNumber, priceText, volume } from '#core/money/price.ts'
import { type Instant, toIso } from '#core/time/instant.ts'
import { exchangeVolume } from '#server/market-data/wire/stream-messages.ts'
import type { ListedSymbol } from '#server/market-data/catalogue/market-catalogue.ts'
import { changePercent } from '#server/market-data/ticks/day-stats.ts'
import type { DayStats, Quote } from '#server/market-data/ticks.ts'

/** A price message for the app: `E` is its time for crypto, `t` for other markets. */
export function tickMessage(symbol: ListedSymbol, quote: Quote): TickMessage {
  const message = {
    s: symbol.productId,
    c: priceNumber(quote.last, symbol.decimals),
    P: changePercent(quote),
  }
  const timed = symbol.marketType === 'crypto' ? { ...message, E: quote.time } : { ...message, t: quote.time }
  return quote.tick === null ? { ...timed, past: true } : timed
}

/** Returns the quote at a tick that may be older than the newest one. */
export function quoteOf(tick: Tick, { open }: Pick<Quote, 'open'>): Quote {
  return { last: tick.price, time: tick.time, tick, open }
}

export function tickerMessage(symbol: ListedSymbol, day: DayStats): TickerMessage {
  const { tick } = day
  const text = (value: Price) => priceText(value, symbol.decimals)
  return {
    type: 'ticker',
    sequence: tick?.seq ?? 0,
    product_id: tickerProduct(symbol),
    price: text(day.last),
    open_24h: text(day.open),
    volume_24h: exchangeVolume(day.volume),
    low_24h: text(day.low),
    high_24h: text(day.high),
    time: exchangeTime(day.time),
    trade_id: tick?.seq ?? 0,
    last_size: exchangeVolume(tick?.volume ?? volume(0)),
  }
}

/** Six decimals, as Coinbase requires; our times are milliseconds. */
export function exchangeTime(at: Instant): string {
  return toIso(at).replace('Z', '000Z')
}

/** The ticker channel's name of a symbol: `BTC-USD`, `AAPL-USD`, and a pair by its two currencies, `EUR-USD`. */
export function tickerProduct({ code, marketType }: Pick<ListedSymbol, 'code' | 'marketType'>): string {
  return marketType === 'us_fx' && code.length === 6 ? `${code.slice(0, 3)}-${code.slice(3)}` : `${code}-USD`
}
