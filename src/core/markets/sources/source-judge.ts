import { Divergence } from '#core/markets/sources/divergence.ts'
import { JudgedSource } from '#core/markets/sources/judged-source.ts'
import type {
  HeardQuote,
  JudgeEffect,
  JudgeOptions,
  SourceIndex,
  SourceQuote,
} from '#core/markets/sources/judge-types.ts'
import { MarketHours } from '#core/markets/sources/market-hours.ts'
import { Outlet } from '#core/markets/sources/outlet.ts'
import { countUnused } from '#core/markets/sources/unused-trade.ts'
import { assert } from '#core/result.ts'
import { instant, type Instant, later, MINUTE_MS } from '#core/time/instant.ts'

/** Who has not been well for so long is gone, and what has lasted for so long is worth telling. */
const GONE_MS = MINUTE_MS

/**
 * Makes one stream of prices of a symbol out of one or two sources. It has no clock: every call brings the time, and
 * the same calls give the same effects. Whose orders there are it does not know.
 *
 * - A lone price far from the source's own before it waits to be confirmed (see `SpikeFilter`). Meanwhile the price is
 *   in doubt, and no heartbeat passes the one that waits: else an order could be settled without it.
 * - Two fresh prices too far apart: neither is believed. Nothing goes out, no tick and no heartbeat, until they have
 *   agreed for a while, or one of the sources has been gone for a minute; then the other counts alone. A quote is
 *   looked at before it goes out, so none that contradicts the other source is ever a tick.
 * - The second source takes over as soon as the first is silent, late or refused and the second is well. The first
 *   counts again once it has been well without a break for a while, or when the second is not well.
 * - Outside the session a quote is no price, but says that its source is alive; the opening and the closing instant are
 *   inside. While a session is closed nothing is expected of a source.
 * - After a loss of trades on a connection that stood, no order is decided by the price before them (see `Outlet.shut`).
 *   A trade whose time is ahead of our clock is lost in the same way: when it was made is not known.
 * - The time of what goes out never runs back; equal times keep their order.
 */
export class SourceJudge {
  readonly sources: readonly JudgedSource[]
  used: SourceIndex = 0
  readonly #options: JudgeOptions
  readonly #indexes: readonly SourceIndex[]
  readonly #hours: MarketHours
  readonly #divergence: Divergence
  readonly #out: Outlet
  #now: Instant
  #isGap = false

  constructor(options: JudgeOptions) {
    const { limits, startedAt, sources, session } = options
    this.#options = options
    this.#now = startedAt
    this.#hours = new MarketHours(session, startedAt)
    this.#divergence = new Divergence(limits)
    this.#out = new Outlet(startedAt)
    this.#indexes = sources === 2 ? [0, 1] : [0]
    this.sources = this.#indexes.map(() => new JudgedSource(limits, startedAt))
  }

  /** A source gave a price. */
  quote(index: SourceIndex, quote: SourceQuote, now: Instant): JudgeEffect[] {
    return this.#step(now, () => this.#hear(index, { ...quote, heardAt: this.#now }))
  }

  /** A source has told everything up to `time`. */
  alive(index: SourceIndex, time: Instant, now: Instant): JudgeEffect[] {
    return this.#step(now, () => {
      if (this.#isAhead(time)) return
      this.#source(index).hears(time, this.#now)
      this.#source(index).lives(time)
    })
  }

  /**
   * A source has lost trades that were made after `from`. Of the one that is used nothing goes out until no order can be
   * decided by the price before them.
   */
  lost(index: SourceIndex, from: Instant, now: Instant): JudgeEffect[] {
    return this.#step(now, () => {
      if (index === this.used) this.#out.shut(from, this.#options.limits.maxTickAgeMs)
    })
  }

  /** A source does not know the symbol; until it speaks of it after all. */
  refused(index: SourceIndex, now: Instant): JudgeEffect[] {
    return this.#step(now, () => {
      this.#source(index).isRefused = true
    })
  }

  /** Time has passed. To be called several times a second. */
  look(now: Instant): JudgeEffect[] {
    return this.#step(now, () => undefined)
  }

  /** What time alone has changed is judged before what was heard, and then what that has changed. */
  #step(now: Instant, hear: () => void): JudgeEffect[] {
    this.#now = instant(Math.max(now, this.#now))
    if (!this.#divergence.isOn) this.#out.reopen(this.#now, this.#options.limits.mostLateMs)
    this.#weigh()
    hear()
    this.#weigh()
    this.#beat()
    this.#tellDoubt()
    return this.#out.take()
  }

  #hear(index: SourceIndex, quote: HeardQuote): void {
    const source = this.#source(index)
    const { time } = quote
    if (this.#isAhead(time)) {
      countUnused(source.unused, 'ahead')
      source.loses()
      return this.#shutWhenMissing()
    }
    source.hears(time, this.#now)
    if (!this.#hours.includes(time)) {
      countUnused(source.unused, 'outside_session')
      source.lives(time)
    } else if (time < this.#now - this.#options.limits.mostLateMs) {
      countUnused(source.unused, 'late')
    } else if (time < (source.quotedAt ?? time)) {
      countUnused(source.unused, 'out_of_order')
    } else {
      source.quotedAt = time
      source.missingFrom = null
      const { confirmed, dropped } = source.filter.take(quote)
      if (dropped !== null) this.#drop(index, dropped)
      this.#believe(index, confirmed)
      this.#confirmEachOther()
    }
  }

  /** One source confirms what the other holds: by its price, or by holding one like it when both have jumped. */
  #confirmEachOther(): void {
    const [first, second] = this.sources
    if (first === undefined || second === undefined) return
    const [one, two] = [first.freshHeld(this.#now), second.freshHeld(this.#now)]
    if (one !== null && two !== null) {
      // Both are prices before either is compared with the other's.
      const confirmed = [first.filter.confirmBy(two), second.filter.confirmBy(one)] as const
      for (const index of [0, 1] as const) this.#believe(index, confirmed[index] === null ? [] : [confirmed[index]])
    }
    for (const index of [0, 1] as const) {
      const price = this.#source(other(index)).freshPrice(this.#now)
      const held = price === null ? null : this.#source(index).filter.confirmBy(price)
      if (held !== null) this.#believe(index, [held])
    }
  }

  /** Prices of a source that its own filter has let through. */
  #believe(index: SourceIndex, quotes: readonly HeardQuote[]): void {
    for (const quote of quotes) {
      const { unused } = this.#source(index)
      if (this.#contradicts(index, quote)) this.#diverge()
      // A price of the source that stands by is compared and not needed: it is no trade that was refused.
      if (index !== this.used) continue
      if (this.#divergence.isOn) countUnused(unused, 'divergence')
      else if (!this.#out.tick(index, quote, this.#now)) countUnused(unused, 'out_of_order')
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
    // At once: nothing that follows may be taken as if it were still believed.
    this.#tellDoubt()
    if (isNew) this.#out.trouble('began', 'divergence', null, this.#now)
  }

  #drop(source: SourceIndex, quote: HeardQuote): void {
    countUnused(this.#source(source).unused, 'spike')
    this.#out.dropped(source, quote, this.#now)
  }

  /** What follows from the time that has come. */
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
      if (source.told !== null) this.#out.trouble('ended', source.told, index, this.#now)
      source.told = null
    } else if (source.told === null && (state === 'refused' || this.#isGone(source))) {
      source.told = state
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

  /** The newest price goes out before the doubt ends: no order is to be taken on the one from before. */
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
    return source !== undefined && source.state === 'well' && source.heardAt !== null
  }

  #isGone({ state, since }: JudgedSource): boolean {
    return state !== 'well' && this.#now - since >= GONE_MS
  }

  /** `why`: how the one that was used until now does. */
  #use(to: SourceIndex, why: JudgedSource['state']): void {
    this.used = to
    this.#out.switched(to, why, this.#now)
  }

  #tickNewest(): void {
    this.#out.newest(this.used, this.#source(this.used).filter.confirmed, this.#now)
    this.#shutWhenMissing()
  }

  /** The used source has a trade that is not known, and the price before it is the newest. */
  #shutWhenMissing(): void {
    const { missingFrom } = this.#source(this.used)
    if (missingFrom !== null) this.#out.shut(missingFrom, this.#options.limits.maxTickAgeMs)
  }

  #weighGap(): void {
    const since = instant(Math.max(this.#out.tickedAt, this.#hours.begun(this.#now)))
    const isGap = this.#now - since >= GONE_MS
    if (isGap === this.#isGap) return
    this.#isGap = isGap
    this.#out.trouble(isGap ? 'began' : 'ended', 'gap', null, isGap ? since : this.#now)
  }

  /** Passes on how far the used source has told everything, but not past a quote that waits. */
  #beat(): void {
    const { aliveAt, filter } = this.#source(this.used)
    if (aliveAt === null || this.#divergence.isOn) return
    this.#out.heartbeat(filter.held === null ? aliveAt : instant(Math.min(aliveAt, later(filter.held.time, -1))))
  }

  #tellDoubt(): void {
    const isHeld = this.#source(this.used).filter.held !== null
    this.#out.doubt(this.#divergence.isOn ? 'divergence' : this.#out.isShut ? 'lost' : isHeld ? 'spike' : null)
  }

  #isAhead(time: Instant): boolean {
    return time > this.#now + this.#options.limits.mostAheadMs
  }

  #source(index: SourceIndex): JudgedSource {
    const source = this.sources[index]
    assert(source !== undefined, `there is a source ${index}`)
    return source
  }
}

function other(index: SourceIndex): SourceIndex {
  return index === 0 ? 1 : 0
}
