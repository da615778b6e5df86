import { addVolumes, type Price, type Volume } from '#core/money/price.ts'
import { assert } from '#core/result.ts'
import { intervalMs, type ChartInterval } from '#core/time/chart-interval.ts'
import { instant, type Instant } from '#core/time/instant.ts'

/** Open, high, low, close and volume of the ticks in [openTime, openTime + interval). */
export interface Candle {
  readonly openTime: Instant
  readonly open: Price
  readonly high: Price
  readonly low: Price
  readonly close: Price
  readonly volume: Volume
}

/** The fields of a tick that candles use. */
export interface CandleTick {
  readonly price: Price
  readonly volume: Volume
  readonly time: Instant
}

/** Returns the open time of the bar that contains `at`. Bars start at multiples of the interval since 1970 UTC. */
export function barOpenTime(at: Instant, interval: ChartInterval): Instant {
  const length = intervalMs(interval)
  return instant(Math.floor(at / length) * length)
}

/**
 * Adds a tick to a candle, or starts a new candle when the tick opens a later bar. The caller recognises by the changed
 * open time that the earlier candle is finished, and stores that candle. A bar without ticks gets no candle, so closed
 * sessions and silence leave gaps. Throws on a tick of an earlier bar, which the caller must filter out.
 */
export function foldTick(candle: Candle | null, tick: CandleTick, interval: ChartInterval): Candle {
  const openTime = barOpenTime(tick.time, interval)
  const { price } = tick
  return append(candle, { openTime, open: price, high: price, low: price, close: price, volume: tick.volume })
}

/** Adds a candle of a finer interval to a candle, by the same rules as `foldTick` adds a tick. */
export function foldCandle(candle: Candle | null, finer: Candle, interval: ChartInterval): Candle {
  return append(candle, { ...finer, openTime: barOpenTime(finer.openTime, interval) })
}

/** Builds candles from ticks in ascending order of time. */
export function foldTicks(ticks: Iterable<CandleTick>, interval: ChartInterval): Candle[] {
  return collect(ticks, (candle, tick) => foldTick(candle, tick, interval))
}

/** Builds coarser candles from finer ones in ascending order. The result equals candles built from the ticks. */
export function foldCandles(finer: Iterable<Candle>, interval: ChartInterval): Candle[] {
  return collect(finer, (candle, next) => foldCandle(candle, next, interval))
}

function append(candle: Candle | null, next: Candle): Candle {
  if (candle === null || candle.openTime < next.openTime) return next
  assert(candle.openTime === next.openTime, 'a tick or candle of an earlier bar cannot be added')
  return {
    openTime: candle.openTime,
    open: candle.open,
    high: next.high > candle.high ? next.high : candle.high,
    low: next.low < candle.low ? next.low : candle.low,
    close: next.close,
    volume: addVolumes(candle.volume, next.volume),
  }
}

function collect<T>(items: Iterable<T>, fold: (candle: Candle | null, item: T) => Candle): Candle[] {
  const candles: Candle[] = []
  let current: Candle | null = null
  for (const item of items) {
    const next: Candle = fold(current, item)
    if (current !== null && next.openTime !== current.openTime) candles.push(current)
    current = next
  }
  if (current !== null) candles.push(current)
  return candles
}
