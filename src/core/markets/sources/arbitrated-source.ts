import { ClockOffset } from '#core/markets/sources/clock-offset.ts'
import type { ReceivedQuote, ArbiterLimits, SourceState } from '#core/markets/sources/arbiter-types.ts'
import { SpikeFilter } from '#core/markets/sources/spike-filter.ts'
import type { UnusedTradeCounts } from '#core/markets/sources/unused-trade.ts'
import type { Price } from '#core/money/price.ts'
import { instant, type Instant } from '#core/time/instant.ts'

/** The state of one source of one symbol. */
export class ArbitratedSource {
  readonly filter: SpikeFilter
  state: SourceState = 'well'
  /** The instant since which the source has been healthy, or since which it has been unhealthy. */
  since: Instant
  /** The problem reported for the source, or null when none is reported. */
  reportedProblem: Exclude<SourceState, 'well'> | null = null
  isRefused = false
  lastMessageAt: Instant | null = null
  /** The newest source time of any message. */
  newestAt: Instant | null = null
  /** The newest source time of its prices, including a held price. */
  quotedAt: Instant | null = null
  /** The source has confirmed that it sent all its prices up to this time. Null without such a message. */
  aliveAt: Instant | null = null
  /**
   * Set when trades were lost, or a trade with a time ahead of our clock was rejected: no trade is missing up to this
   * time. Null without such a trade since the last price.
   */
  missingFrom: Instant | null = null
  /** How many trades of the source made no price, by reason. */
  readonly unused: UnusedTradeCounts = {}
  readonly #limits: ArbiterLimits
  readonly #offset = new ClockOffset()

  constructor(limits: ArbiterLimits, startedAt: Instant) {
    this.#limits = limits
    this.since = startedAt
    this.filter = new SpikeFilter({ bp: limits.spikeBp, ticks: limits.spikeTicks }, limits.maxTickAgeMs)
  }

  hears(time: Instant, now: Instant): void {
    this.isRefused = false
    this.lastMessageAt = now
    this.newestAt = newest(this.newestAt, time)
    this.#offset.hears(time, now)
  }

  lives(time: Instant): void {
    this.aliveAt = newest(this.aliveAt, time)
  }

  /**
   * Records that a trade had a time ahead of our clock. Its real time is unknown, so the previous price must settle no
   * order that expires after `missingFrom`.
   */
  loses(): void {
    if (this.quotedAt === null) return
    this.missingFrom ??= instant(Math.max(this.quotedAt - 1, this.aliveAt ?? 0))
  }

  /** Returns the state of the source. `begun`: the instant since which messages are expected. */
  stateAt(now: Instant, begun: Instant, other: ArbitratedSource | null): SourceState {
    if (this.isRefused) return 'refused'
    if (now - Math.max(this.lastMessageAt ?? begun, begun) >= this.#limits.silentAfterMs) return 'silent'
    if (this.#speaksOfThePast(now, begun) || this.#hasNoPrice(now, begun, other)) return 'late'
    return 'well'
  }

  /** Returns the confirmed price if it is fresh. */
  freshPrice(now: Instant): Price | null {
    const { confirmed } = this.filter
    return confirmed !== null && this.#isFresh(confirmed, now) ? confirmed.price : null
  }

  freshHeld(now: Instant): Price | null {
    const { held } = this.filter
    return held !== null && this.#isFresh(held, now) ? held.price : null
  }

  #isFresh(quote: ReceivedQuote, now: Instant): boolean {
    const { maxTickAgeMs, lateAfterMs } = this.#limits
    return !this.isRefused && this.#age(quote.time, now) <= maxTickAgeMs && this.#age(this.newestAt, now) <= lateAfterMs
  }

  #speaksOfThePast(now: Instant, begun: Instant): boolean {
    if (this.newestAt === null) return false
    return Math.min(this.#age(this.newestAt, now), now - begun) > this.#limits.lateAfterMs
  }

  /** Whether the source sends messages but no price within `maxTickAgeMs`, while the other source has one. */
  #hasNoPrice(now: Instant, begun: Instant, other: ArbitratedSource | null): boolean {
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
