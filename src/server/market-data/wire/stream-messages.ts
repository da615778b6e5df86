import type { KlineMessage } from '#contract/live/candle-socket.ts'
import type { DayTickerMessage, MiniTickerMessage, TradeMessage } from '#contract/live/stream-socket.ts'
import type { Candle } from '#core/markets/candle.ts'
import type { Tick } from '#core/markets/tick.ts'
import { formatDecimal } from '#core/money/decimal.ts'
import { type Price, VOLUME_DECIMALS, type Volume, volume } from '#core/money/price.ts'
import { type ChartInterval, intervalMs } from '#core/time/chart-interval.ts'
import { DAY_MS, type Instant, later } from '#core/time/instant.ts'
import type { ListedSymbol } from '#server/market-data/catalogue/market-catalogue.ts'
import { changeThousandths } from '#server/market-data/ticks/day-stats.ts'
import type { DayStats, Quote } from '#server/market-data/ticks.ts'

/** The exchanges' messages use eight decimals for prices and volumes, whatever the symbol has. */
const DECIMALS = 8
const ZERO = formatDecimal(0n, DECIMALS)
const PERCENT_DECIMALS = 3

/** The exact value with eight decimals. */
export function exchangePrice(value: Price | number, { decimals }: Pick<ListedSymbol, 'decimals'>): string {
  return formatDecimal(BigInt(value) * 10n ** BigInt(DECIMALS - decimals), DECIMALS)
}

export function exchangeVolume(value: Volume): string {
  return formatDecimal(BigInt(value) * 10n ** BigInt(DECIMALS - VOLUME_DECIMALS), DECIMALS)
}

export function klineMessage(
  symbol: ListedSymbol,
  interval: ChartInterval,
  candle: Candle,
  { isClosed, at }: { isClosed: boolean; at: Instant },
): KlineMessage {
  return {
    e: 'kline',
    E: at,
    s: symbol.productId,
    k: {
      t: candle.openTime,
      T: candle.openTime + intervalMs(interval) - 1,
      s: symbol.productId,
      i: interval,
      f: -1,
      L: -1,
      o: exchangePrice(candle.open, symbol),
      c: exchangePrice(candle.close, symbol),
      h: exchangePrice(candle.high, symbol),
      l: exchangePrice(candle.low, symbol),
      v: exchangeVolume(candle.volume),
      n: 0,
      x: isClosed,
      q: ZERO,
      V: ZERO,
      Q: ZERO,
      B: '0',
    },
  }
}

/** Returns when the newest price became known. An old price never looks newer in a later reply. */
export function knownAt({ tick, time }: Quote): Instant {
  return tick?.receivedAt ?? time
}

export function miniTickerMessage(symbol: ListedSymbol, day: DayStats): MiniTickerMessage {
  return { e: '24hrMiniTicker', E: knownAt(day), s: symbol.productId, ...dayFields(symbol, day) }
}

export function dayTickerMessage(symbol: ListedSymbol, day: DayStats, now: Instant): DayTickerMessage {
  return {
    e: '24hrTicker',
    E: knownAt(day),
    s: symbol.productId,
    p: exchangePrice(day.last - day.open, symbol),
    P: formatDecimal(changeThousandths(day), PERCENT_DECIMALS),
    w: ZERO,
    x: exchangePrice(day.open, symbol),
    Q: exchangeVolume(day.tick?.volume ?? volume(0)),
    b: ZERO,
    B: ZERO,
    a: ZERO,
    A: ZERO,
    ...dayFields(symbol, day),
    ...dayTimes(day, now),
    F: -1,
    L: day.tick?.seq ?? -1,
    n: 0,
  }
}

export function tradeMessage(symbol: ListedSymbol, tick: Tick): TradeMessage {
  return {
    e: 'trade',
    E: tick.receivedAt,
    s: symbol.productId,
    t: tick.seq,
    p: exchangePrice(tick.price, symbol),
    q: exchangeVolume(tick.volume),
    T: tick.time,
    M: true,
  }
}

/** When the day began and when its newest price was made. The day must not begin after that price, even when it is old. */
export function dayTimes({ time }: Quote, now: Instant): { O: number; C: number } {
  return { O: Math.min(later(now, -DAY_MS), time), C: time }
}

function dayFields(symbol: ListedSymbol, day: DayStats) {
  return {
    c: exchangePrice(day.last, symbol),
    o: exchangePrice(day.open, symbol),
    h: exchangePrice(day.high, symbol),
    l: exchangePrice(day.low, symbol),
    v: exchangeVolume(day.volume),
    q: ZERO,
  }
}
