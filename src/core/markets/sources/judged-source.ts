import { ClockOffset } from '#core/markets/sources/clock-offset.ts'
import type { HeardQuote, JudgeLimits, SourceState } from '#core/markets/sources/judge-types.ts'
import { SpikeFilter } from '#core/markets/sources/spike-filter.ts'
import type { UnusedTradeCounts } from '#core/markets/sources/unused-trade.ts'
import type { Price } from '#core/money/price.ts'
import { instant, type Instant } from '#core/time/instant.ts'

/** What is known of one source of one symbol. */
export class JudgedSource {
  readonly filter: SpikeFilter
  state: SourceState = 'well'
  /** Since when it has been well, or has not been. */
  since: Instant
  /** The state it was told to be in, when somebody was told. */
  told: Exclude<SourceState, 'well'> | null = null
  isRefused = false
  heardAt: Instant | null = null
  /** The newest time it spoke of. */
  newestAt: Instant | null = null
  /** The newest time of its prices, also of one that is held. */
  quotedAt: Instant | null = null
  /** Up to then it has told everything. */
  aliveAt: Instant | null = null
  /** Up to then nothing is missing, and a trade came after it whose time is ahead of our clock; null when none did. */
  missingFrom: Instant | null = null
  /** Its trades that made no price, by reason. */
  readonly unused: UnusedTradeCounts = {}
  readonly #limits: JudgeLimits
  readonly #offset = new ClockOffset()

  constructor(limits: JudgeLimits, startedAt: Instant) {
    this.#limits = limits
    this.since = startedAt
    this.filter = new SpikeFilter({ bp: limits.spikeBp, ticks: limits.spikeTicks }, limits.maxTickAgeMs)
  }

  hears(time: Instant, now: Instant): void {
    this.isRefused = false
    this.heardAt = now
    this.newestAt = newest(this.newestAt, time)
    this.#offset.hears(time, now)
  }

  lives(time: Instant): void {
    this.aliveAt = newest(this.aliveAt, time)
  }

  /** A trade came whose time is no time: until its next price the one before it must decide nothing. */
  loses(): void {
    if (this.quotedAt === null) return
    this.missingFrom ??= instant(Math.max(this.quotedAt - 1, this.aliveAt ?? 0))
  }

  /** `begun`: when words of it could first be expected. */
  stateAt(now: Instant, begun: Instant, other: JudgedSource | null): SourceState {
    if (this.isRefused) return 'refused'
    if (now - Math.max(this.heardAt ?? begun, begun) >= this.#limits.silentAfterMs) return 'silent'
    if (this.#speaksOfThePast(now, begun) || this.#hasNoPrice(now, begun, other)) return 'late'
    return 'well'
  }

  /** Its price, when it is one of just now. */
  freshPrice(now: Instant): Price | null {
    const { confirmed } = this.filter
    return confirmed !== null && this.#isFresh(confirmed, now) ? confirmed.price : null
  }

  freshHeld(now: Instant): Price | null {
    const { held } = this.filter
    return held !== null && this.#isFresh(held, now) ? held.price : null
  }

  #isFresh(quote: HeardQuote, now: Instant): boolean {
    const { maxTickAgeMs, lateAfterMs } = this.#limits
    return !this.isRefused && this.#age(quote.time, now) <= maxTickAgeMs && this.#age(this.newestAt, now) <= lateAfterMs
  }

  #speaksOfThePast(now: Instant, begun: Instant): boolean {
    if (this.newestAt === null) return false
    return Math.min(this.#age(this.newestAt, now), now - begun) > this.#limits.lateAfterMs
  }

  /** It speaks, but has had no price for as long as one may be old, while the other has. */
  #hasNoPrice(now: Instant, begun: Instant, other: JudgedSource | null): boolean {
    if (other === null || other.freshPrice(now) === null) return false
    return Math.min(this.#age(this.quotedAt, now), now - begun) > this.#limits.maxTickAgeMs
  }

  #age(time: Instant | null, now: Instant): number {
    return time === null ? Number.POSITIVE_INFINITY : now - time - this.#offset.ms
  }
}

function newest(known: Instant | null, time: Instant): Instant {
  return known === null ? time : instant(Math.max(known, time))
}
