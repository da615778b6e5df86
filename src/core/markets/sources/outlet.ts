import type {
  HeardQuote,
  JudgeEffect,
  LastingTrouble,
  PriceDoubt,
  SourceIndex,
} from '#core/markets/sources/judge-types.ts'
import { WATERMARK_LIMIT_MS } from '#core/orders/settlement-price.ts'
import { type Instant, instant } from '#core/time/instant.ts'

/** What goes out, in order: its time never runs back, and a doubt is told once. */
export class Outlet {
  /** When the last price went out. */
  tickedAt: Instant
  #effects: JudgeEffect[] = []
  #passed = Number.NEGATIVE_INFINITY
  /** Of the newest price, also of one that waits. */
  #priceTime = Number.NEGATIVE_INFINITY
  /** What waits while nothing may go out, and until when. */
  readonly #waiting: (JudgeEffect & { readonly kind: 'tick' | 'heartbeat' })[] = []
  #shutUntil: Instant | null = null
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
    this.#priceTime = time
    if (this.#shutUntil === null) this.tickedAt = now
    this.#passes({ kind: 'tick', source, quote: { price, volume, time } })
    return true
  }

  /** The price a source had before it was listened to, when it is newer than all that went out. */
  newest(source: SourceIndex, quote: HeardQuote | null, now: Instant): void {
    if (quote !== null && quote.time > this.#passed) this.tick(source, quote, now)
  }

  heartbeat(time: Instant): void {
    if (time <= this.#passed) return
    this.#passed = time
    this.#passes({ kind: 'heartbeat', time })
  }

  /**
   * The price that went out last must decide no order that ends after `from`: a newer one was lost. Nothing goes out before
   * it is too old for an order by `maxAgeMs`, and all orders that end before that are void.
   */
  shut(from: Instant, maxAgeMs: number): void {
    const tooOldAt = this.#priceTime + maxAgeMs
    if (from >= tooOldAt || tooOldAt === Number.NEGATIVE_INFINITY) return
    this.#shutUntil = instant(Math.max(this.#shutUntil ?? 0, tooOldAt + WATERMARK_LIMIT_MS))
  }

  get isShut(): boolean {
    return this.#shutUntil !== null
  }

  /** Lets out what waited and is not older than `mostLateMs` when the time has come. */
  reopen(now: Instant, mostLateMs: number): void {
    if (this.#shutUntil === null || now <= this.#shutUntil) return
    this.#shutUntil = null
    for (const effect of this.#waiting.splice(0)) {
      if ((effect.kind === 'tick' ? effect.quote.time : effect.time) < now - mostLateMs) continue
      if (effect.kind === 'tick') this.tickedAt = now
      this.#effects.push(effect)
    }
  }

  #passes(effect: JudgeEffect & { readonly kind: 'tick' | 'heartbeat' }): void {
    const queue = this.#shutUntil === null ? this.#effects : this.#waiting
    queue.push(effect)
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
