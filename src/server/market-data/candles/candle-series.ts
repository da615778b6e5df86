import { barOpenTime, type Candle, foldTick } from '#core/markets/candle.ts'
import type { Tick } from '#core/markets/tick.ts'
import { type ChartInterval, intervalMs } from '#core/time/chart-interval.ts'
import type { Instant } from '#core/time/instant.ts'

/** Closed candles kept in memory per symbol and interval. Older candles are read from the database. */
const MAX_CLOSED_CANDLES = 1_500

/** Data about the open bar from other sources than our own ticks. */
export interface Completion {
  readonly openTime: Instant
  /** The bar up to `until`; null when there was no trade. */
  readonly candle: Candle | null
  /** Ticks from this time on are added to the candle. */
  readonly until: Instant
}

export interface Resumption {
  readonly storedThrough: Instant
  readonly now: Instant
}

/** A candle that has just closed. */
export interface Finished {
  /** The candle folded from our own ticks. */
  readonly own: Candle
  /** The candle as shown while it was open. */
  readonly shown: Candle
}

/**
 * The candles of one symbol and interval since this process began, folded from our own ticks only. Where our ticks do not cover the open
 * bar, it is shown together with other known data, and each tick counts once.
 */
export class CandleSeries {
  readonly interval: ChartInterval
  readonly closed: Candle[] = []
  /** Our own ticks of the open bar, folded. */
  open: Candle | null = null
  /** All our candles that open from this time on are in memory. Older candles are in the database. */
  since: Instant
  private closedThrough = Number.NEGATIVE_INFINITY
  private completion: Completion | null = null
  private completed: Candle | null = null

  constructor(interval: ChartInterval) {
    this.interval = interval
    this.since = 0 as Instant
  }

  /** Continues with logged candles after the last stored bar, which ends at `storedThrough`. */
  resume(closed: readonly Candle[], open: Candle | null, { storedThrough, now }: Resumption): void {
    this.closed.splice(0, this.closed.length, ...closed)
    this.open = open
    const first = closed[0] ?? open
    this.since = first?.openTime ?? (Math.max(storedThrough, barOpenTime(now, this.interval)) as Instant)
    // A bar that this process has announced as closed stays closed.
    if (open !== null && this.end(open) <= this.closedThrough) {
      this.closed.push(open)
      this.open = null
    }
    this.closedThrough = Math.max(this.closedThrough, open?.openTime ?? storedThrough)
  }

  /** Adds a tick and returns the candle that it closed, if any. */
  fold(tick: Tick): Finished | null {
    // Only ticks from another server can arrive this late. Their candle has already been announced as closed.
    if (tick.time < this.closedThrough) return null
    const openTime = barOpenTime(tick.time, this.interval)
    const finished = this.open !== null && this.open.openTime < openTime ? this.close(this.open) : null
    if (this.open !== null && this.open.openTime > openTime) return null
    this.open = foldTick(this.open, tick, this.interval)
    // A source may begin with its last prices, which can be older than the bar in which this process began.
    if (openTime < this.since) this.since = openTime
    if (this.completion !== null) this.foldIntoCompleted(this.completion, tick)
    return finished
  }

  /** Closes the open candle when no more ticks of its time can arrive. */
  closeThrough(time: Instant): Finished | null {
    if (this.completion !== null && this.end(this.completion) <= time && this.open === null) this.complete(null, [])
    if (this.open === null || this.end(this.open) > time) return null
    return this.close(this.open)
  }

  /** Sets the other known data of the open bar; null when our own ticks cover all of it. */
  complete(completion: Completion | null, ticks: readonly Tick[]): void {
    // After the clock was set back, the current bar may be closed already.
    if (completion !== null && completion.openTime < this.closedThrough) return
    this.completion = completion
    this.completed = completion?.candle ?? null
    if (completion !== null) for (const tick of ticks) this.foldIntoCompleted(completion, tick)
  }

  /** The open bar as it is shown: with the other known data where our own ticks do not cover it. */
  get running(): Candle | null {
    return this.completion === null ? this.open : (this.completed ?? this.open)
  }

  /** Drops closed candles from memory. From now on, readers get these candles from the database. */
  forgetClosed(now: Instant): void {
    this.closed.length = 0
    this.since = (this.open?.openTime ?? Math.max(this.closedThrough, barOpenTime(now, this.interval))) as Instant
  }

  end({ openTime }: { readonly openTime: Instant }): Instant {
    return (openTime + intervalMs(this.interval)) as Instant
  }

  private foldIntoCompleted({ openTime, until }: Completion, tick: Tick): void {
    if (tick.time < until) return
    if (barOpenTime(tick.time, this.interval) > openTime) this.complete(null, [])
    else this.completed = foldTick(this.completed, tick, this.interval)
  }

  private close(candle: Candle): Finished {
    const isCompleted = this.completion?.openTime === candle.openTime
    const shown = (isCompleted ? this.completed : null) ?? candle
    this.closed.push(candle)
    if (this.closed.length > MAX_CLOSED_CANDLES * 2) {
      this.closed.splice(0, MAX_CLOSED_CANDLES)
      this.since = this.closed[0]?.openTime ?? this.since
    }
    this.closedThrough = this.end(candle)
    this.open = null
    if (this.completion !== null && this.completion.openTime <= candle.openTime) this.complete(null, [])
    return { own: candle, shown }
  }
}
