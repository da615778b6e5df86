import type {
  HeardQuote,
  JudgeEffect,
  LastingTrouble,
  PriceDoubt,
  SourceIndex,
} from '#core/markets/sources/judge-types.ts'
import type { Instant } from '#core/time/instant.ts'

/** What goes out, in order: its time never runs back, and a doubt is told once. */
export class Outlet {
  /** When the last price went out. */
  tickedAt: Instant
  #effects: JudgeEffect[] = []
  #passed = Number.NEGATIVE_INFINITY
  #doubt: PriceDoubt | null = null

  constructor(startedAt: Instant) {
    this.tickedAt = startedAt
  }

  /** Everything since the last time. */
  take(): JudgeEffect[] {
    const effects = this.#effects
    this.#effects = []
    return effects
  }

  /** False when the price would run back behind what went out before; then it stays in. */
  tick(source: SourceIndex, { price, volume, time }: HeardQuote, now: Instant): boolean {
    if (time < this.#passed) return false
    this.#passed = time
    this.tickedAt = now
    this.#effects.push({ kind: 'tick', source, quote: { price, volume, time } })
    return true
  }

  /** The price a source had before it was listened to, when it is newer than all that went out. */
  newest(source: SourceIndex, quote: HeardQuote | null, now: Instant): void {
    if (quote !== null && quote.time > this.#passed) this.tick(source, quote, now)
  }

  heartbeat(time: Instant): void {
    if (time <= this.#passed) return
    this.#passed = time
    this.#effects.push({ kind: 'heartbeat', time })
  }

  doubt(doubt: PriceDoubt | null): void {
    if (doubt === this.#doubt) return
    this.#doubt = doubt
    this.#effects.push({ kind: 'doubt', doubt })
  }

  dropped(source: SourceIndex, { price, volume, time }: HeardQuote, at: Instant): void {
    this.#effects.push({ kind: 'dropped', source, quote: { price, volume, time }, at })
  }

  switched(to: SourceIndex, why: Extract<JudgeEffect, { kind: 'switched' }>['why'], at: Instant): void {
    this.#effects.push({ kind: 'switched', to, why, at })
  }

  trouble(kind: 'began' | 'ended', trouble: LastingTrouble, source: SourceIndex | null, at: Instant): void {
    this.#effects.push({ kind, trouble, source, at })
  }
}
