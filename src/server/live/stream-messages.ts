import type { KlineMessage } from '#contract/live/candle-socket.ts'
import type { DayTickerMessage, MiniTickerMessage, TradeMessage } from '#contract/live/stream-socket.ts'
import type { Candle } from '#core/markets/candle.ts'
import type { Tick } from '#core/markets/tick.ts'
import { formatDecimal, mulDivHalfEven } from '#core/money/decimal.ts'
import { type Price, VOLUME_DECIMALS, type Volume } from '#core/money/price.ts'
import { type ChartInterval, intervalMs } from '#core/time/chart-interval.ts'
import { DAY_MS, type Instant } from '#core/time/instant.ts'
import type { ListedSymbol } from '#server/markets/market-catalogue.ts'
import type { DayStats } from '#server/ticks/ticks.ts'

/** Prices and volumes have so many decimals in the exchanges' messages, whatever the symbol has. */
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
  { isClosed, now }: { isClosed: boolean; now: Instant },
): KlineMessage {
  return {
    e: 'kline',
    E: now,
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

export function miniTickerMessage(symbol: ListedSymbol, day: DayStats, now: Instant): MiniTickerMessage {
  return { e: '24hrMiniTicker', E: now, s: symbol.productId, ...dayFields(symbol, day) }
}

export function dayTickerMessage(symbol: ListedSymbol, tick: Tick, day: DayStats, now: Instant): DayTickerMessage {
  const change = BigInt(day.last) - BigInt(day.open)
  const thousandths = mulDivHalfEven(change, 100n * 10n ** BigInt(PERCENT_DECIMALS), BigInt(day.open))
  return {
    e: '24hrTicker',
    E: now,
    s: symbol.productId,
    p: exchangePrice(Number(change), symbol),
    P: formatDecimal(thousandths, PERCENT_DECIMALS),
    w: ZERO,
    x: exchangePrice(day.open, symbol),
    Q: exchangeVolume(tick.volume),
    b: ZERO,
    B: ZERO,
    a: ZERO,
    A: ZERO,
    ...dayFields(symbol, day),
    O: now - DAY_MS,
    C: now,
    F: -1,
    L: tick.seq,
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
