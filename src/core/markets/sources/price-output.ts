import type {
  ReceivedQuote,
  ArbiterEffect,
  LastingTrouble,
  PriceDoubt,
  SourceIndex,
  SourceQuote,
} from '#core/markets/sources/arbiter-types.ts'
import type { LeftOutReason } from '#core/markets/log-text.ts'
import { WATERMARK_LIMIT_MS } from '#core/markets/tick.ts'
import { type Instant, instant } from '#core/time/instant.ts'

/**
 * Emits effects in order. The times of ticks never run backwards. Each change of the suspect state (`doubt`) is emitted
 * once.
 */
export class PriceOutput {
  /** The instant at which the last tick was emitted. */
  tickedAt: Instant
  #effects: ArbiterEffect[] = []
  #passed = Number.NEGATIVE_INFINITY
  /** The time of the newest tick, including a waiting tick. */
  #priceTime = Number.NEGATIVE_INFINITY
  /** Ticks and heartbeats that wait while the output is shut. */
  readonly #waiting: (ArbiterEffect & { readonly kind: 'tick' | 'heartbeat' })[] = []
  #shutUntil: Instant | null = null
  #doubt: PriceDoubt | null = null

  constructor(startedAt: Instant) {
    this.tickedAt = startedAt
  }

  /** Returns and clears the effects since the last call. */
  take(): ArbiterEffect[] {
    const effects = this.#effects
    this.#effects = []
    return effects
  }

  /** Emits a tick. Returns false, and emits nothing, when its time is before that of an emitted tick or heartbeat. */
  tick(source: SourceIndex, { price, volume, time, ref }: ReceivedQuote, now: Instant): boolean {
    if (time < this.#passed) return false
    this.#passed = time
    this.#priceTime = time
    if (this.#shutUntil === null) this.tickedAt = now
    this.#passes({ kind: 'tick', source, quote: { price, volume, time, ref } })
    return true
  }

  /**
   * Emits the last price that a source sent before it came into use, if this price is newer than all emitted ticks and
   * heartbeats.
   */
  newest(source: SourceIndex, quote: ReceivedQuote | null, now: Instant): void {
    if (quote !== null && quote.time > this.#passed) this.tick(source, quote, now)
  }

  heartbeat(time: Instant): void {
    if (time <= this.#passed) return
    this.#passed = time
    this.#passes({ kind: 'heartbeat', time })
  }

  /**
   * Shuts the output because prices after `from` were lost. The last emitted price must settle no order that expires
   * after `from`. The output emits nothing until that price is too old for an order by `maxAgeMs`, and until all orders
   * that expire before then are void.
   */
  shut(from: Instant, maxAgeMs: number): void {
    const tooOldAt = this.#priceTime + maxAgeMs
    if (from >= tooOldAt || tooOldAt === Number.NEGATIVE_INFINITY) return
    this.#shutUntil = instant(Math.max(this.#shutUntil ?? 0, tooOldAt + WATERMARK_LIMIT_MS))
  }

  get isShut(): boolean {
    return this.#shutUntil !== null
  }

  /**
   * Reopens the output when it was shut for long enough. Emits waiting effects that are not older than
   * `maxTickDelayMs`.
   */
  reopen(now: Instant, maxTickDelayMs: number): void {
    if (this.#shutUntil === null || now <= this.#shutUntil) return
    this.#shutUntil = null
    for (const effect of this.#waiting.splice(0)) {
      if ((effect.kind === 'tick' ? effect.quote.time : effect.time) < now - maxTickDelayMs) continue
      if (effect.kind === 'tick') this.tickedAt = now
      this.#effects.push(effect)
    }
  }

  #passes(effect: ArbiterEffect & { readonly kind: 'tick' | 'heartbeat' }): void {
    const queue = this.#shutUntil === null ? this.#effects : this.#waiting
    queue.push(effect)
  }

  doubt(doubt: PriceDoubt | null): void {
    if (doubt === this.#doubt) return
    this.#doubt = doubt
    this.#effects.push({ kind: 'doubt', doubt })
  }

  missed(from: Instant | null): void {
    this.#effects.push({ kind: 'missed', from })
  }

  /** Emits the number of a trade that makes no price. A trade without a number cannot be named. */
  leftOut(source: SourceIndex, { ref }: SourceQuote, why: LeftOutReason): void {
    if (ref !== undefined) this.#effects.push({ kind: 'left_out', source, ref, why })
  }

  dropped(source: SourceIndex, { price, volume, time }: ReceivedQuote, at: Instant): void {
    this.#effects.push({ kind: 'dropped', source, quote: { price, volume, time }, at })
  }

  switched(to: SourceIndex, why: Extract<ArbiterEffect, { kind: 'switched' }>['why'], at: Instant): void {
    this.#effects.push({ kind: 'switched', to, why, at })
  }

  trouble(kind: 'began' | 'ended', trouble: LastingTrouble, source: SourceIndex | null, at: Instant): void {
    this.#effects.push({ kind, trouble, source, at })
  }
}
