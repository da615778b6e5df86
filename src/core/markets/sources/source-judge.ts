import { isFurtherApart } from '#core/markets/sources/apart.ts'
import { JudgedSource } from '#core/markets/sources/judged-source.ts'
import type {
  HeardQuote,
  JudgeCounts,
  JudgeEffect,
  JudgeOptions,
  LastingTrouble,
  PriceDoubt,
  SourceIndex,
  SourceQuote,
} from '#core/markets/sources/judge-types.ts'
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
 * - The time of what goes out never runs back; equal times keep their order.
 */
export class SourceJudge {
  readonly counts: JudgeCounts = { ahead: 0, late: 0, runsBack: 0, outsideSession: 0, spikesDropped: 0 }
  readonly sources: readonly JudgedSource[]
  used: SourceIndex = 0
  readonly #options: JudgeOptions
  #effects: JudgeEffect[] = []
  #now: Instant
  /** What has gone out reaches up to here. */
  #passed = Number.NEGATIVE_INFINITY
  #tickedAt: Instant
  #isDiverged = false
  #agreedSince: Instant | null = null
  #doubt: PriceDoubt | null = null
  #isGap = false

  constructor(options: JudgeOptions) {
    const { limits, startedAt, sources } = options
    this.#options = options
    this.#now = startedAt
    this.#tickedAt = startedAt
    this.sources = Array.from({ length: sources }, () => new JudgedSource(limits, startedAt))
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
    this.#weigh()
    hear()
    this.#weigh()
    this.#beat()
    this.#tellDoubt()
    const effects = this.#effects
    this.#effects = []
    return effects
  }

  #hear(index: SourceIndex, quote: HeardQuote): void {
    const source = this.#source(index)
    const { time } = quote
    if (this.#isAhead(time)) return
    source.hears(time, this.#now)
    if (!this.#isInSession(time)) {
      this.counts.outsideSession += 1
      source.lives(time)
    } else if (time < this.#now - this.#options.limits.mostLateMs) {
      this.counts.late += 1
    } else if (time < (source.quotedAt ?? time)) {
      this.counts.runsBack += 1
    } else {
      source.quotedAt = time
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
      const [ofFirst, ofSecond] = [first.filter.confirmBy(two), second.filter.confirmBy(one)]
      if (ofFirst !== null) this.#believe(0, [ofFirst])
      if (ofSecond !== null) this.#believe(1, [ofSecond])
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
      if (this.#contradicts(index, quote)) this.#diverge()
      else if (index === this.used && !this.#isDiverged) this.#tick(index, quote)
    }
  }

  #contradicts(index: SourceIndex, { price }: SourceQuote): boolean {
    const theirs = this.sources[other(index)]?.freshPrice(this.#now) ?? null
    const isFresh = this.#source(index).freshPrice(this.#now) !== null
    return theirs !== null && isFresh && isFurtherApart(price, theirs, this.#options.limits.divergenceBp)
  }

  #diverge(): void {
    this.#agreedSince = null
    if (this.#isDiverged) return
    this.#isDiverged = true
    // At once: nothing that follows may be taken as if it were still believed.
    this.#tellDoubt()
    this.#trouble('began', 'divergence', null)
  }

  #tick(source: SourceIndex, quote: HeardQuote): void {
    const { heardAt: _, ...rest } = quote
    if (quote.time < this.#passed) {
      this.counts.runsBack += 1
      return
    }
    this.#passed = quote.time
    this.#tickedAt = this.#now
    this.#effects.push({ kind: 'tick', source, quote: rest })
    if (this.#isGap) this.#trouble('ended', 'gap', null)
    this.#isGap = false
  }

  #drop(source: SourceIndex, quote: HeardQuote): void {
    const { heardAt: _, ...rest } = quote
    this.counts.spikesDropped += 1
    this.#effects.push({ kind: 'dropped', source, quote: rest, at: this.#now })
  }

  /** What follows from the time that has come. */
  #weigh(): void {
    for (const index of this.#indexes()) {
      const expired = this.#source(index).filter.expire(this.#now)
      if (expired !== null) this.#drop(index, expired)
    }
    for (const index of this.#indexes()) this.#weighHealth(index)
    if (this.#isDiverged) this.#weighDivergence()
    else this.#weighSwitch()
    this.#weighGap()
  }

  #weighHealth(index: SourceIndex): void {
    const source = this.#source(index)
    const state = source.stateAt(this.#now, this.#begun(), this.sources[other(index)] ?? null)
    if ((state === 'well') !== (source.state === 'well')) source.since = this.#now
    source.state = state
    if (state === 'well') {
      if (source.told !== null) this.#trouble('ended', source.told, index)
      source.told = null
    } else if (source.told === null && (state === 'refused' || this.#now - source.since >= GONE_MS)) {
      source.told = state
      this.#trouble('began', state, index, source.since)
    }
  }

  #weighDivergence(): void {
    const [first, second] = this.sources
    if (first === undefined || second === undefined) return
    const [one, two] = [first.freshPrice(this.#now), second.freshPrice(this.#now)]
    const agree = one !== null && two !== null && !isFurtherApart(one, two, this.#options.limits.divergenceBp)
    if (!agree) this.#agreedSince = null
    else if (this.#agreedSince === null) this.#agreedSince = this.#now
    if (this.#agreedSince !== null && this.#now - this.#agreedSince >= this.#options.limits.agreeAfterMs) {
      return this.#reconcile()
    }
    for (const index of [0, 1] as const) {
      const source = this.#source(index)
      const isGone = source.state !== 'well' && this.#now - source.since >= GONE_MS
      if (!isGone || !this.#canTakeOver(other(index))) continue
      if (this.used === index) this.#use(other(index), source.state)
      return this.#reconcile()
    }
  }

  /** The newest price goes out before the doubt ends: no order is to be taken on the one from before. */
  #reconcile(): void {
    this.#isDiverged = false
    this.#agreedSince = null
    this.#trouble('ended', 'divergence', null)
    this.#tickNewest()
  }

  #weighSwitch(): void {
    const second = other(this.used)
    if (!this.#canTakeOver(second)) return
    const used = this.#source(this.used)
    const { since, state } = this.#source(second)
    const isBack = second === 0 && this.#now - since >= this.#options.limits.backAfterMs
    if (used.state === 'well' && !isBack) return
    this.#use(second, used.state === 'well' ? state : used.state)
    this.#tickNewest()
  }

  #canTakeOver(index: SourceIndex): boolean {
    const source = this.sources[index]
    return source !== undefined && source.state === 'well' && source.heardAt !== null
  }

  #use(to: SourceIndex, why: JudgedSource['state']): void {
    this.used = to
    this.#effects.push({ kind: 'switched', to, why, at: this.#now })
  }

  #tickNewest(): void {
    const { confirmed } = this.#source(this.used).filter
    if (confirmed !== null && confirmed.time > this.#passed) this.#tick(this.used, confirmed)
  }

  #weighGap(): void {
    const open = this.#options.session(this.#now).open
    const isOpen = open <= this.#now
    const since = instant(Math.max(this.#tickedAt, isOpen ? open : this.#now))
    const isGap = this.#now - since >= GONE_MS
    if (isGap === this.#isGap) return
    this.#isGap = isGap
    this.#trouble(isGap ? 'began' : 'ended', 'gap', null, isGap ? since : this.#now)
  }

  /** Passes on how far the used source has told everything, but not past a quote that waits. */
  #beat(): void {
    const { aliveAt, filter } = this.#source(this.used)
    if (aliveAt === null || this.#isDiverged) return
    const time = filter.held === null ? aliveAt : instant(Math.min(aliveAt, later(filter.held.time, -1)))
    if (time <= this.#passed) return
    this.#passed = time
    this.#effects.push({ kind: 'heartbeat', time })
  }

  #tellDoubt(): void {
    const isHeld = this.#source(this.used).filter.held !== null
    const doubt = this.#isDiverged ? 'divergence' : isHeld ? 'spike' : null
    if (doubt === this.#doubt) return
    this.#doubt = doubt
    this.#effects.push({ kind: 'doubt', doubt })
  }

  #trouble(kind: 'began' | 'ended', trouble: LastingTrouble, source: SourceIndex | null, at = this.#now): void {
    this.#effects.push({ kind, trouble, source, at })
  }

  /** Since when words of a source can be expected: while the session is closed, from its opening. */
  #begun(): Instant {
    return instant(Math.max(this.#options.startedAt, this.#options.session(this.#now).open))
  }

  #isInSession(time: Instant): boolean {
    const { open, close } = this.#options.session(time - 1)
    return open <= time && time <= close
  }

  #isAhead(time: Instant): boolean {
    const isAhead = time > this.#now + this.#options.limits.mostAheadMs
    if (isAhead) this.counts.ahead += 1
    return isAhead
  }

  #source(index: SourceIndex): JudgedSource {
    const source = this.sources[index]
    if (source === undefined) throw new Error(`there is no source ${index}`)
    return source
  }

  #indexes(): readonly SourceIndex[] {
    return this.sources.length === 2 ? [0, 1] : [0]
  }
}

function other(index: SourceIndex): SourceIndex {
  return index === 0 ? 1 : 0
}
