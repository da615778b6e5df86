import type { TickMessage } from '#contract/live/app-socket.ts'
import type { TickerMessage } from '#contract/live/ticker-socket.ts'
import type { Tick } from '#core/markets/tick.ts'
import { type Price, priceNumber, priceText } from '#core/money/price.ts'
import { type Instant, toIso } from '#core/time/instant.ts'
import { exchangeVolume } from '#server/live/stream-messages.ts'
import type { ListedSymbol } from '#server/markets/market-catalogue.ts'
import type { DayStats } from '#server/ticks/ticks.ts'

/** A price to the app: `E` names its time for crypto, `t` for the others. */
export function tickMessage(symbol: ListedSymbol, tick: Tick, dayOpen: Price | null): TickMessage {
  const message = {
    s: symbol.productId,
    c: priceNumber(tick.price, symbol.decimals),
    P: changePercent(tick.price, dayOpen),
  }
  return symbol.marketType === 'crypto' ? { ...message, E: tick.time } : { ...message, t: tick.time }
}

/** Change against the price 24 hours ago, in percent with four decimals. For showing only; nothing is decided by it. */
export function changePercent(now: Price, dayOpen: Price | null): number {
  if (dayOpen === null) return 0
  return Math.round(((now - dayOpen) / dayOpen) * 1_000_000) / 10_000
}

export function tickerMessage(symbol: ListedSymbol, tick: Tick, day: DayStats): TickerMessage {
  const text = (value: Price) => priceText(value, symbol.decimals)
  return {
    type: 'ticker',
    sequence: tick.seq,
    product_id: tickerProduct(symbol),
    price: text(tick.price),
    open_24h: text(day.open),
    volume_24h: exchangeVolume(day.volume),
    low_24h: text(day.low),
    high_24h: text(day.high),
    time: exchangeTime(tick.time),
    trade_id: tick.seq,
    last_size: exchangeVolume(tick.volume),
  }
}

/** Six decimals, as the convention has them; ours are milliseconds. */
export function exchangeTime(at: Instant): string {
  return toIso(at).replace('Z', '000Z')
}

/** The ticker channel's name of a symbol: `BTC-USD`, `AAPL-USD`, and a pair by its two currencies, `EUR-USD`. */
export function tickerProduct({ code, marketType }: Pick<ListedSymbol, 'code' | 'marketType'>): string {
  return marketType === 'us_fx' && code.length === 6 ? `${code.slice(0, 3)}-${code.slice(3)}` : `${code}-USD`
}
