import { Divergence } from '#core/markets/sources/divergence.ts'
import { ArbitratedSource } from '#core/markets/sources/arbitrated-source.ts'
import type {
  ReceivedQuote,
  ArbiterEffect,
  ArbiterOptions,
  SourceIndex,
  SourceQuote,
} from '#core/markets/sources/arbiter-types.ts'
import { MarketHours } from '#core/markets/sources/market-hours.ts'
import { PriceOutput } from '#core/markets/sources/price-output.ts'
import { countUnused } from '#core/markets/sources/unused-trade.ts'
import { assert } from '#core/result.ts'
import { instant, type Instant, later, MINUTE_MS } from '#core/time/instant.ts'

/** 60 s: a source that has not been healthy for this long counts as gone. A problem is reported after this time. */
const GONE_MS = MINUTE_MS

/** The reasons that the log gives for trades that make no price. */
const LEFT_OUT_AS = { outside_session: 'session', out_of_order: 'back', spike: 'spike', divergence: 'doubt' } as const

/**
 * Combines one or two sources of a symbol into one stream of prices. The arbiter has no clock: every call passes the
 * time, and the same calls give the same effects. It knows nothing about orders.
 *
 * - Spike: a price far from the source's previous price waits for confirmation (see `SpikeFilter`). Until then the
 *   price is suspect, and no heartbeat passes the held price. Otherwise an order could be settled without that price.
 * - Divergence: when two fresh prices are too far apart, neither is used. No tick and no heartbeat is emitted until the
 *   sources have agreed for `agreeAfterMs`, or one source has been gone for a minute. Then only the other source is
 *   used. Each quote is compared before it is emitted, so no tick contradicts the other source.
 * - Failover: the second source takes over as soon as the first is silent, late or refused and the second is healthy.
 *   The first takes over again after it was healthy for `backAfterMs` without a break, or when the second is unhealthy.
 * - Session: a quote outside the session is not a price but shows that its source is alive. The opening and closing
 *   instants belong to the session. While a session is closed, no message is expected.
 * - Lost trades: after a connection lost trades without closing, the price before these trades settles no order (see
 *   `PriceOutput.shut`). A trade with a time ahead of our clock counts as lost too, as its real time is unknown.
 * - Order: the time of emitted ticks never runs backwards. Equal times keep their order.
 */
export class SourceArbiter {
  readonly sources: readonly ArbitratedSource[]
  used: SourceIndex = 0
  readonly #options: ArbiterOptions
  readonly #indexes: readonly SourceIndex[]
  readonly #hours: MarketHours
  readonly #divergence: Divergence
  readonly #out: PriceOutput
  #now: Instant
  #isGap = false

  constructor(options: ArbiterOptions) {
    const { limits, startedAt, sources, session } = options
    this.#options = options
    this.#now = startedAt
    this.#hours = new MarketHours(session, startedAt)
    this.#divergence = new Divergence(limits)
    this.#out = new PriceOutput(startedAt)
    this.#indexes = sources === 2 ? [0, 1] : [0]
    this.sources = this.#indexes.map(() => new ArbitratedSource(limits, startedAt))
  }

  /** Handles a price of a source. */
  quote(index: SourceIndex, quote: SourceQuote, now: Instant): ArbiterEffect[] {
    return this.#step(now, () => this.#hear(index, { ...quote, receivedAt: this.#now }))
  }

  /** Handles a source's message that it has sent all prices up to `time`. */
  alive(index: SourceIndex, time: Instant, now: Instant): ArbiterEffect[] {
    return this.#step(now, () => {
      if (this.#isAheadOfClock(time)) return
      this.#source(index).hears(time, this.#now)
      this.#source(index).lives(time)
    })
  }

  /**
   * Handles a loss of trades made after `from`. If the source is in use, or comes into use before its next price,
   * nothing is emitted until the price before the lost trades can settle no order.
   */
  lost(index: SourceIndex, from: Instant, now: Instant): ArbiterEffect[] {
    return this.#step(now, () => {
      this.#source(index).missingFrom ??= from
      if (index === this.used) this.#out.shut(from, this.#options.limits.maxTickAgeMs)
    })
  }

  /** Handles a source's refusal of the symbol. The refusal ends when the source sends a message about the symbol. */
  refused(index: SourceIndex, now: Instant): ArbiterEffect[] {
    return this.#step(now, () => {
      this.#source(index).isRefused = true
    })
  }

  /** Applies changes that happen by time alone, such as a silence. The caller must call it several times a second. */
  look(now: Instant): ArbiterEffect[] {
    return this.#step(now, () => undefined)
  }

  /** Applies changes by time, then the event (`hear`), then the changes that the event causes. */
  #step(now: Instant, hear: () => void): ArbiterEffect[] {
    this.#now = instant(Math.max(now, this.#now))
    if (!this.#divergence.isOn) this.#out.reopen(this.#now, this.#options.limits.maxTickDelayMs)
    this.#weigh()
    hear()
    this.#weigh()
    this.#beat()
    this.#tellDoubt()
    return this.#out.take()
  }

  #hear(index: SourceIndex, quote: ReceivedQuote): void {
    const source = this.#source(index)
    const { time } = quote
    if (this.#isAheadOfClock(time)) {
      countUnused(source.unused, 'ahead')
      source.loses()
      if (index !== this.used) return
      if (source.missingFrom === null) return this.#out.missed(null)
      return this.#shutWhenMissing()
    }
    source.hears(time, this.#now)
    if (!this.#hours.includes(time)) {
      this.#leaveOut(index, quote, 'outside_session')
      source.lives(time)
    } else if (time < this.#now - this.#options.limits.maxTickDelayMs) {
      countUnused(source.unused, 'late')
      // The trade is newer than the source's last price, so the log lacks it.
      if (index === this.used && time >= (source.quotedAt ?? time)) this.#out.missed(later(time, -1))
    } else if (time < (source.quotedAt ?? time)) {
      this.#leaveOut(index, quote, 'out_of_order')
    } else {
      source.quotedAt = time
      source.missingFrom = null
      const { confirmed, dropped } = source.filter.take(quote)
      if (dropped !== null) this.#drop(index, dropped)
      this.#believe(index, confirmed)
      this.#confirmEachOther()
    }
  }

  /**
   * Confirms held prices across sources: by the price of the other source, or by its similar held price when both
   * jumped.
   */
  #confirmEachOther(): void {
    const [first, second] = this.sources
    if (first === undefined || second === undefined) return
    const [one, two] = [first.freshHeld(this.#now), second.freshHeld(this.#now)]
    if (one !== null && two !== null) {
      // Each source's price may confirm the held price of the other one, before the two are compared.
      const confirmed = [first.filter.confirmBy(two), second.filter.confirmBy(one)] as const
      for (const index of [0, 1] as const) this.#believe(index, confirmed[index] === null ? [] : [confirmed[index]])
    }
    for (const index of [0, 1] as const) {
      const price = this.#source(other(index)).freshPrice(this.#now)
      const held = price === null ? null : this.#source(index).filter.confirmBy(price)
      if (held !== null) this.#believe(index, [held])
    }
  }

  /** Handles prices that passed the source's own filter. */
  #believe(index: SourceIndex, quotes: readonly ReceivedQuote[]): void {
    for (const quote of quotes) {
      if (this.#contradicts(index, quote)) this.#diverge()
      // A price of the standby source is only compared, so it is not counted as unused.
      if (index !== this.used) continue
      if (this.#divergence.isOn) this.#leaveOut(index, quote, 'divergence')
      // The trade is valid but too late to be published, so the log leaves its number open.
      else if (!this.#out.tick(index, quote, this.#now)) countUnused(this.#source(index).unused, 'out_of_order')
    }
  }

  #contradicts(index: SourceIndex, { price }: SourceQuote): boolean {
    const isFresh = this.#source(index).freshPrice(this.#now) !== null
    const theirs = this.sources[other(index)]?.freshPrice(this.#now) ?? null
    return isFresh && this.#divergence.isBetween(price, theirs)
  }

  #diverge(): void {
    const isNew = !this.#divergence.isOn
    this.#divergence.begin()
    // The suspect state is emitted before anything else, so that no later effect is handled as if the price were still
    // good.
    this.#tellDoubt()
    if (isNew) this.#out.trouble('began', 'divergence', null, this.#now)
  }

  #drop(source: SourceIndex, quote: ReceivedQuote): void {
    this.#leaveOut(source, quote, 'spike')
    this.#out.dropped(source, quote, this.#now)
  }

  /** Counts a trade that makes no price. The log names it when the source is in use. */
  #leaveOut(index: SourceIndex, quote: SourceQuote, reason: keyof typeof LEFT_OUT_AS): void {
    countUnused(this.#source(index).unused, reason)
    if (index === this.used) this.#out.leftOut(index, quote, LEFT_OUT_AS[reason])
  }

  /** Evaluates the state of each source and of the symbol again for the current time. */
  #weigh(): void {
    for (const index of this.#indexes) {
      const expired = this.#source(index).filter.expire(this.#now)
      if (expired !== null) this.#drop(index, expired)
    }
    for (const index of this.#indexes) this.#weighHealth(index)
    if (this.#divergence.isOn) this.#weighDivergence()
    else this.#weighSwitch()
    this.#weighGap()
  }

  #weighHealth(index: SourceIndex): void {
    const source = this.#source(index)
    const state = source.stateAt(this.#now, this.#hours.begun(this.#now), this.sources[other(index)] ?? null)
    if ((state === 'well') !== (source.state === 'well')) source.since = this.#now
    source.state = state
    if (state === 'well') {
      if (source.reportedProblem !== null) this.#out.trouble('ended', source.reportedProblem, index, this.#now)
      source.reportedProblem = null
    } else if (source.reportedProblem === null && (state === 'refused' || this.#isGone(source))) {
      source.reportedProblem = state
      this.#out.trouble('began', state, index, source.since)
    }
  }

  #weighDivergence(): void {
    const [one, two] = this.sources.map((source) => source.freshPrice(this.#now))
    if (this.#divergence.isOver(one ?? null, two ?? null, this.#now)) return this.#reconcile()
    for (const index of this.#indexes) {
      const source = this.#source(index)
      if (!this.#isGone(source) || !this.#canTakeOver(other(index))) continue
      if (this.used === index) this.#use(other(index), source.state)
      return this.#reconcile()
    }
  }

  /** Emits the newest price before the suspect state ends, so that no order is accepted on an older price. */
  #reconcile(): void {
    this.#divergence.end()
    this.#out.trouble('ended', 'divergence', null, this.#now)
    this.#tickNewest()
  }

  #weighSwitch(): void {
    const standby = other(this.used)
    if (!this.#canTakeOver(standby)) return
    const { state } = this.#source(this.used)
    const isBack = standby === 0 && this.#now - this.#source(0).since >= this.#options.limits.backAfterMs
    if (state === 'well' && !isBack) return
    this.#use(standby, state)
    this.#tickNewest()
  }

  #canTakeOver(index: SourceIndex): boolean {
    const source = this.sources[index]
    return source !== undefined && source.state === 'well' && source.lastMessageAt !== null
  }

  #isGone({ state, since }: ArbitratedSource): boolean {
    return state !== 'well' && this.#now - since >= GONE_MS
  }

  /** `why`: the state of the previously used source. */
  #use(to: SourceIndex, why: ArbitratedSource['state']): void {
    this.used = to
    this.#out.switched(to, why, this.#now)
  }

  #tickNewest(): void {
    this.#out.newest(this.used, this.#source(this.used).filter.confirmed, this.#now)
    this.#shutWhenMissing()
  }

  /**
   * Shuts the output when a trade of the used source is missing and the price before the missing trade is the newest.
   */
  #shutWhenMissing(): void {
    const { missingFrom } = this.#source(this.used)
    if (missingFrom === null) return
    this.#out.missed(missingFrom)
    this.#out.shut(missingFrom, this.#options.limits.maxTickAgeMs)
  }

  #weighGap(): void {
    const since = instant(Math.max(this.#out.tickedAt, this.#hours.begun(this.#now)))
    const isGap = this.#now - since >= GONE_MS
    if (isGap === this.#isGap) return
    this.#isGap = isGap
    this.#out.trouble(isGap ? 'began' : 'ended', 'gap', null, isGap ? since : this.#now)
  }

  /**
   * Emits a heartbeat with the time up to which the used source has sent all prices. The time does not pass a held
   * quote.
   */
  #beat(): void {
    const { aliveAt, filter } = this.#source(this.used)
    if (aliveAt === null || this.#divergence.isOn) return
    this.#out.heartbeat(filter.held === null ? aliveAt : instant(Math.min(aliveAt, later(filter.held.time, -1))))
  }

  #tellDoubt(): void {
    const isHeld = this.#source(this.used).filter.held !== null
    this.#out.doubt(this.#divergence.isOn ? 'divergence' : this.#out.isShut ? 'lost' : isHeld ? 'spike' : null)
  }

  #isAheadOfClock(time: Instant): boolean {
    return time > this.#now + this.#options.limits.maxClockSkewMs
  }

  #source(index: SourceIndex): ArbitratedSource {
    const source = this.sources[index]
    assert(source !== undefined, `source ${index} does not exist`)
    return source
  }
}

function other(index: SourceIndex): SourceIndex {
  return index === 0 ? 1 : 0
}
