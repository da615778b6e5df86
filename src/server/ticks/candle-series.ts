import { barOpenTime, type Candle, foldTick } from '#core/markets/candle.ts'
import type { Tick } from '#core/markets/tick.ts'
import { volume } from '#core/money/price.ts'
import { type ChartInterval, intervalMs } from '#core/time/chart-interval.ts'
import type { Instant } from '#core/time/instant.ts'

/** Closed candles kept in memory per symbol and interval. The older ones are in the database. */
const MOST_KEPT = 1_500

/** The candles of one symbol and interval since this process began: closed ones that never change, and the open one. */
export class CandleSeries {
  readonly interval: ChartInterval
  readonly closed: Candle[] = []
  open: Candle | null = null
  /** What others know of the bar in which our own ticks begin. */
  private base: Candle | null = null
  private closedThrough = Number.NEGATIVE_INFINITY

  constructor(interval: ChartInterval) {
    this.interval = interval
  }

  /** Goes on from what was stored: nothing before `closedThrough` is open any more. */
  resume(open: Candle | null, closedThrough: Instant | null): void {
    this.open = open
    if (closedThrough !== null) this.closedThrough = closedThrough
  }

  startFrom(base: Candle): void {
    this.base = base
  }

  /** Adds a tick; answers the candle that it closed, if any. */
  fold(tick: Tick): Candle | null {
    // Only ticks of another writer can be this late; the candle they belong to has been told as closed.
    if (tick.time < this.closedThrough) return null
    const openTime = barOpenTime(tick.time, this.interval)
    const finished = this.open !== null && this.open.openTime < openTime ? this.close(this.open) : null
    if (this.open !== null && this.open.openTime > openTime) return null
    const from = this.open ?? (this.base?.openTime === openTime ? this.base : null)
    this.open = foldTick(from, tick, this.interval)
    return finished
  }

  /** Closes the open candle when no tick of its time can come any more. */
  closeThrough(time: Instant): Candle | null {
    if (this.open === null || this.end(this.open) > time) return null
    return this.close(this.open)
  }

  /** The partial candle that others show for a bar that has no tick of ours yet. */
  baseOf(before: Instant): Candle | null {
    return this.base !== null && this.base.openTime < before ? this.base : null
  }

  end(candle: Candle): Instant {
    return (candle.openTime + intervalMs(this.interval)) as Instant
  }

  private close(candle: Candle): Candle {
    this.closed.push(candle)
    if (this.closed.length > MOST_KEPT * 2) this.closed.splice(0, MOST_KEPT)
    this.closedThrough = this.end(candle)
    this.open = null
    if (this.base !== null && this.base.openTime <= candle.openTime) this.base = null
    return candle
  }
}

/**
 * One bar as our ticks saw a part of it and as the feed's history knows it. The volume is the larger of the two, since
 * each may hold what the other has. `close` comes from whoever saw the bar last.
 */
export function mergeBar(history: Candle, own: Candle, ownIsLast: boolean): Candle {
  return {
    openTime: own.openTime,
    open: history.open,
    high: history.high > own.high ? history.high : own.high,
    low: history.low < own.low ? history.low : own.low,
    close: ownIsLast ? own.close : history.close,
    volume: volume(Math.max(history.volume, own.volume)),
  }
}

/** Both lists ascending; where both have a bar the own one counts. */
export function mergeCandles(history: readonly Candle[], own: readonly Candle[]): Candle[] {
  return mergeByTime(history, own, (candle) => candle.openTime)
}

/** The same for anything that has a candle's place in time. */
export function mergeByTime<T>(history: readonly T[], own: readonly T[], timeOf: (item: T) => Instant): T[] {
  const merged: T[] = []
  let next = 0
  for (const item of own) {
    const time = timeOf(item)
    for (let other = history[next]; other !== undefined && timeOf(other) <= time; other = history[next]) {
      if (timeOf(other) < time) merged.push(other)
      next += 1
    }
    merged.push(item)
  }
  return merged.concat(history.slice(next))
}
