import type { Split } from '#core/markets/splits/splits.ts'
import type { Tick } from '#core/markets/tick.ts'
import { instant, type Instant } from '#core/time/instant.ts'
import type { SuspectReason } from '#server/market-data/feeds/base/feed.ts'
import { DayWindow } from '#server/market-data/ticks/day-stats.ts'
import { FeedLatency } from '#server/market-data/ticks/feed-latency.ts'
import type { RestoredState } from '#server/market-data/ticks/restore-state.ts'
import { TickRing } from '#server/market-data/ticks/tick-ring.ts'

/** The prices of one symbol in memory: the newest ticks, the day's bars, the feed delay, the watermark and the suspect flag. */
export class SymbolState {
  readonly day: DayWindow
  /** Why the newest price is suspect; null when it is not. Each flag is a new object, because two flags may have the same reason. */
  suspect: { readonly why: SuspectReason } | null = null
  #ring = new TickRing()
  readonly #latency = new FeedLatency()
  #watermark: Instant | null = null
  /** The log is complete up to this time, as found when this process began. */
  #foundThrough: Instant | null = null
  #closedThrough: Instant = instant(0)

  constructor(splits: () => readonly Split[]) {
    this.day = new DayWindow(splits)
  }

  get ring(): TickRing {
    return this.#ring
  }

  get watermark(): Instant | null {
    return this.#watermark
  }

  get feedDelayMs(): number {
    return this.#latency.ms
  }

  /** The time up to which our bars are stored, or had ended when this process began. */
  get closedThrough(): Instant {
    return this.#closedThrough
  }

  /** The time up to which no price is missing; null when the log has nothing of the symbol. */
  get through(): Instant | null {
    if (this.#watermark === null || this.#foundThrough === null) return this.#watermark ?? this.#foundThrough
    return instant(Math.max(this.#watermark, this.#foundThrough))
  }

  /** Adds a logged tick. Does not raise the watermark: see `raise`. */
  push(tick: Tick): void {
    this.#ring.push(tick)
    this.#latency.note(tick)
  }

  /** Raises the watermark. Returns false when `time` is nothing new. */
  raise(time: Instant): boolean {
    if (this.#watermark !== null && time <= this.#watermark) return false
    this.#watermark = time
    return true
  }

  ticksSince(from: Instant): readonly Tick[] {
    return this.#ring.between(from, instant(Number.MAX_SAFE_INTEGER), Number.MAX_SAFE_INTEGER)
  }

  /** Begins with the state that was read back from the log. It includes the ticks in memory. */
  restore({ ticks, through, closedThrough }: Pick<RestoredState, 'ticks' | 'through' | 'closedThrough'>): void {
    this.#foundThrough = through
    this.#closedThrough = closedThrough ?? instant(0)
    this.#ring = new TickRing()
    if (ticks.length === 0) this.#ring.beginLog()
    for (const tick of ticks) this.push(tick)
    this.#watermark = ticks.at(-1)?.time ?? this.#watermark
  }
}
