import type { z } from 'zod'
import type { AggregateTrade, ExchangeTrade, FullDayTicker, KlineRow, MiniDayTicker } from '#contract/exchange-rest.ts'
import type { Candle } from '#core/markets/candle.ts'
import type { Tick } from '#core/markets/tick.ts'
import { formatDecimal, mulDivHalfEven } from '#core/money/decimal.ts'
import { VOLUME_DECIMALS } from '#core/money/price.ts'
import type { ChartInterval } from '#core/time/chart-interval.ts'
import type { Instant } from '#core/time/instant.ts'
import {
  dayTickerMessage,
  exchangePrice,
  exchangeVolume,
  klineMessage,
} from '#server/market-data/wire/stream-messages.ts'
import type { ListedSymbol } from '#server/market-data/catalogue/market-catalogue.ts'
import type { DayStats } from '#server/market-data/ticks.ts'

const DECIMALS = 8

/** Returns the same 24-hour figures as the stream's ticker message, with the field names of the REST call. */
export function fullDayTicker(symbol: ListedSymbol, day: DayStats, now: Instant): z.input<typeof FullDayTicker> {
  const ticker = dayTickerMessage(symbol, day, now)
  return {
    ...miniDayTicker(symbol, day, now),
    priceChange: ticker.p,
    priceChangePercent: ticker.P,
    weightedAvgPrice: ticker.w,
    prevClosePrice: ticker.x,
    lastQty: ticker.Q,
    bidPrice: ticker.b,
    bidQty: ticker.B,
    askPrice: ticker.a,
    askQty: ticker.A,
  }
}

/** Returns the 24-hour figures of `fullDayTicker`, without changes, average and best bid and ask. */
export function miniDayTicker(symbol: ListedSymbol, day: DayStats, now: Instant): z.input<typeof MiniDayTicker> {
  const ticker = dayTickerMessage(symbol, day, now)
  return {
    symbol: ticker.s,
    lastPrice: ticker.c,
    openPrice: ticker.o,
    highPrice: ticker.h,
    lowPrice: ticker.l,
    volume: ticker.v,
    quoteVolume: ticker.q,
    openTime: ticker.O,
    closeTime: ticker.C,
    firstId: ticker.F,
    lastId: ticker.L,
    count: ticker.n,
  }
}

/** A tick in the form of a trade. */
export function exchangeTrade(symbol: ListedSymbol, tick: Tick): z.input<typeof ExchangeTrade> {
  const scale = 10n ** BigInt(symbol.decimals + VOLUME_DECIMALS)
  const cost = mulDivHalfEven(BigInt(tick.price) * BigInt(tick.volume), 10n ** BigInt(DECIMALS), scale)
  return {
    id: tick.seq,
    price: exchangePrice(tick.price, symbol),
    qty: exchangeVolume(tick.volume),
    quoteQty: formatDecimal(cost, DECIMALS),
    time: tick.time,
    isBestMatch: true,
  }
}

/** A tick in the form of an aggregate of one trade. */
export function aggregateTrade(symbol: ListedSymbol, tick: Tick): z.input<typeof AggregateTrade> {
  const { id, price, qty, time } = exchangeTrade(symbol, tick)
  return { a: id, p: price, q: qty, f: id, l: id, T: time, M: true }
}

/** Converts a candle to a row of the REST call, with the same values as the stream's message of a closed candle. */
export function klineRow(symbol: ListedSymbol, interval: ChartInterval, candle: Candle): KlineRow {
  const { k } = klineMessage(symbol, interval, candle, { isClosed: true, at: candle.openTime })
  return [k.t, k.o, k.h, k.l, k.c, k.v, k.T, k.q, k.n, k.V, k.Q, k.B]
}
