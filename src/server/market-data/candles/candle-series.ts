import { barOpenTime, type Candle, foldTick } from '#core/markets/candle.ts'
import type { Tick } from '#core/markets/tick.ts'
import { type ChartInterval, intervalMs } from '#core/time/chart-interval.ts'
import type { Instant } from '#core/time/instant.ts'

/** Closed candles kept in memory per symbol and interval. The older ones are in the database. */
const MOST_KEPT = 1_500

/** What is known of the running bar besides our own ticks of it. */
export interface Completion {
  readonly openTime: Instant
  /** The bar up to `until`; null when there was nothing. */
  readonly candle: Candle | null
  /** Ticks from then on come on top. */
  readonly until: Instant
}

export interface Resumption {
  readonly storedThrough: Instant
  readonly now: Instant
}

/** A candle that has just closed. */
export interface Finished {
  /** The fold of our own ticks. */
  readonly own: Candle
  /** As it was shown while it ran. */
  readonly shown: Candle
}

/**
 * The candles of one symbol and interval since this process began: folds of our own ticks and of nothing else. Where our
 * ticks do not cover the running bar, it is shown with what is known besides; each tick is in it once.
 */
export class CandleSeries {
  readonly interval: ChartInterval
  readonly closed: Candle[] = []
  /** The fold of our own ticks in the running bar. */
  open: Candle | null = null
  /** Every candle of ours that opens from then on is here; the older ones are in the database. */
  since: Instant
  private closedThrough = Number.NEGATIVE_INFINITY
  private completion: Completion | null = null
  private completed: Candle | null = null

  constructor(interval: ChartInterval) {
    this.interval = interval
    this.since = 0 as Instant
  }

  /** Goes on from what the log holds beyond the last stored bar, which ends at `storedThrough`. */
  resume(closed: readonly Candle[], open: Candle | null, { storedThrough, now }: Resumption): void {
    this.closed.splice(0, this.closed.length, ...closed)
    this.open = open
    const first = closed[0] ?? open
    this.since = first?.openTime ?? (Math.max(storedThrough, barOpenTime(now, this.interval)) as Instant)
    // What this process has told as closed stays so.
    if (open !== null && this.end(open) <= this.closedThrough) {
      this.closed.push(open)
      this.open = null
    }
    this.closedThrough = Math.max(this.closedThrough, open?.openTime ?? storedThrough)
  }

  /** Adds a tick; answers the candle that it closed, if any. */
  fold(tick: Tick): Finished | null {
    // Only ticks of another writer can be this late; the candle they belong to has been told as closed.
    if (tick.time < this.closedThrough) return null
    const openTime = barOpenTime(tick.time, this.interval)
    const finished = this.open !== null && this.open.openTime < openTime ? this.close(this.open) : null
    if (this.open !== null && this.open.openTime > openTime) return null
    this.open = foldTick(this.open, tick, this.interval)
    // A source may begin with its last prices, of a bar before the one in which we did.
    if (openTime < this.since) this.since = openTime
    if (this.completion !== null) this.foldIntoCompleted(this.completion, tick)
    return finished
  }

  /** Closes the open candle when no tick of its time can come any more. */
  closeThrough(time: Instant): Finished | null {
    if (this.completion !== null && this.end(this.completion) <= time && this.open === null) this.complete(null, [])
    if (this.open === null || this.end(this.open) > time) return null
    return this.close(this.open)
  }

  /** The running bar is shown on top of what is known besides; null when our own ticks are all of it. */
  complete(completion: Completion | null, ticks: readonly Tick[]): void {
    // By a clock that was put back a bar may run that is closed already.
    if (completion !== null && completion.openTime < this.closedThrough) return
    this.completion = completion
    this.completed = completion?.candle ?? null
    if (completion !== null) for (const tick of ticks) this.foldIntoCompleted(completion, tick)
  }

  /** The running bar as it is shown. */
  get running(): Candle | null {
    return this.completion === null ? this.open : (this.completed ?? this.open)
  }

  /** What closed and is stored is read from the database from now on. */
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
    if (this.closed.length > MOST_KEPT * 2) {
      this.closed.splice(0, MOST_KEPT)
      this.since = this.closed[0]?.openTime ?? this.since
    }
    this.closedThrough = this.end(candle)
    this.open = null
    if (this.completion !== null && this.completion.openTime <= candle.openTime) this.complete(null, [])
    return { own: candle, shown }
  }
}
