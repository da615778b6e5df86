import type { Candle } from '#core/markets/candle.ts'
import type { MarketSymbol } from '#core/markets/market.ts'
import type { SourceTick } from '#core/markets/tick.ts'
import { price, volume } from '#core/money/price.ts'
import type { ChartInterval } from '#core/time/chart-interval.ts'
import { later, type Instant } from '#core/time/instant.ts'
import type { TickSource } from '#server/market-data/feeds/base/emitter.ts'
import { createRangeFold } from '#server/market-data/feeds/replay/range-fold.ts'
import type { Recording } from '#server/market-data/feeds/replay/recording.ts'
import { firstRowAt, recordedTimeToInstant, type Timeline } from '#server/market-data/feeds/replay/timeline.ts'
import { sessionCandles, type Stretch } from '#server/market-data/feeds/base/session-candles.ts'
import { createSessionLookup } from '#server/market-data/feeds/base/session-lookup.ts'

export const REPLAY = 'replay'

/** One recording played as one symbol. It keeps running while the market is closed, but emits no ticks then. */
export interface ReplayMarket extends TickSource {
  /** Candles of exactly these ticks, ascending. */
  candlesBetween(stretch: Stretch, interval: ChartInterval): Candle[]
}

export function createReplayMarket(symbol: MarketSymbol, recording: Recording, timeline: Timeline): ReplayMarket {
  const { positions, prices, volumes } = recording
  const rows = positions.length
  const sessionFor = createSessionLookup(symbol.marketType)
  const rangeFold = createRangeFold(recording)
  const isInSession = (at: Instant): boolean => sessionFor(at).open <= at
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

  function candleOf(openTime: Instant, { from, until }: Stretch): Candle | null {
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
        if (isInSession(tick.time)) ticks.push(tick)
      }
      return ticks
    },

    candlesBetween: (stretch, interval) => sessionCandles(symbol.marketType, interval, stretch, candleOf),
  }
}
