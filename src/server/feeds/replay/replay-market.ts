import { barOpenTime, foldCandles, type Candle } from '#core/markets/candle.ts'
import type { MarketSymbol } from '#core/markets/market.ts'
import type { SourceTick } from '#core/markets/tick.ts'
import { price, volume } from '#core/money/price.ts'
import { intervalMs, type ChartInterval } from '#core/time/chart-interval.ts'
import { instant, later, type Instant } from '#core/time/instant.ts'
import type { TickSource } from '#server/feeds/emitter.ts'
import { createRangeFold } from '#server/feeds/replay/range-fold.ts'
import type { Recording } from '#server/feeds/replay/recording.ts'
import { firstRowAt, recordedTimeToInstant, type Timeline } from '#server/feeds/replay/timeline.ts'
import { createSessionLookup } from '#server/feeds/session-lookup.ts'

export const REPLAY = 'replay'

/** One recording played as one symbol. The recording runs on while the market is closed; nobody hears it then. */
export interface ReplayMarket extends TickSource {
  /** The candles of ticks in [from, until), ascending. */
  candlesBetween(from: Instant, until: Instant, interval: ChartInterval): Candle[]
}

export function createReplayMarket(symbol: MarketSymbol, recording: Recording, timeline: Timeline): ReplayMarket {
  const { positions, prices, volumes } = recording
  const rows = positions.length
  const sessionFor = createSessionLookup(symbol.marketType)
  const rangeFold = createRangeFold(recording)
  const isHeard = (at: Instant): boolean => sessionFor(at).open <= at
  const numberAt = (at: Instant): number => firstRowAt(timeline, positions, at)

  function tickOf(number: number): SourceTick {
    const loop = Math.floor(number / rows)
    const row = number - loop * rows
    return {
      symbolId: symbol.id,
      price: price(prices[row] ?? 0),
      volume: volume(volumes[row] ?? 0),
      time: recordedTimeToInstant(timeline, loop, positions[row] ?? 0),
      source: REPLAY,
    }
  }

  /** [from, until) lies inside one bar and one session. */
  function candleOf(openTime: Instant, from: Instant, until: Instant): Candle | null {
    const first = numberAt(from)
    const end = numberAt(until)
    if (first >= end) return null
    const { high, low, volume: traded } = rangeFold(first, end)
    return {
      openTime,
      open: tickOf(first).price,
      high: price(high),
      low: price(low),
      close: tickOf(end - 1).price,
      volume: volume(traded),
    }
  }

  return {
    symbolId: symbol.id,
    catchUpMs: symbol.maxTickAgeMs,

    ticksBetween(after, until) {
      const ticks: SourceTick[] = []
      const end = numberAt(later(until, 1))
      for (let number = numberAt(later(after, 1)); number < end; number += 1) {
        const tick = tickOf(number)
        if (isHeard(tick.time)) ticks.push(tick)
      }
      return ticks
    },

    candlesBetween(from, until, interval) {
      const pieces: Candle[] = []
      const length = intervalMs(interval)
      const sessions = createSessionLookup(symbol.marketType)
      let at = from
      while (at < until) {
        const session = sessions(at)
        const begins = session.open > at ? session.open : at
        const openTime = barOpenTime(begins, interval)
        const ends = instant(Math.min(openTime + length, session.close, until))
        if (begins >= until) break
        const piece = candleOf(openTime, begins, ends)
        if (piece !== null) pieces.push(piece)
        at = ends
      }
      return foldCandles(pieces, interval)
    },
  }
}
