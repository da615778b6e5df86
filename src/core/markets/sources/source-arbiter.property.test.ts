import fc from 'fast-check'
import { expect, it } from 'vitest'
import { ALWAYS } from '#core/markets/calendar/sessions.ts'
import { isFartherThan } from '#core/markets/sources/price-distance.ts'
import type { ArbiterEffect, ArbiterLimits, SourceIndex, SourceQuote } from '#core/markets/sources/arbiter-types.ts'
import { SourceArbiter } from '#core/markets/sources/source-arbiter.ts'
import { price, volume } from '#core/money/price.ts'
import { instant, type Instant } from '#core/time/instant.ts'

const T0 = 1_000_000_000
const LIMITS: ArbiterLimits = {
  silentAfterMs: 1_500,
  lateAfterMs: 2_000,
  backAfterMs: 4_000,
  divergenceBp: 120,
  divergenceTicks: 3,
  agreeAfterMs: 1_000,
  spikeBp: 100,
  spikeTicks: 3,
  maxTickAgeMs: 5_000,
  maxClockSkewMs: 5_000,
  maxTickDelayMs: 60_000,
}
const SPIKE = { bp: LIMITS.spikeBp, ticks: LIMITS.spikeTicks }
const DIVERGENCE = { bp: LIMITS.divergenceBp, ticks: LIMITS.divergenceTicks }

interface Step {
  readonly kind: 'quote' | 'quote again' | 'alive' | 'refused' | 'look'
  readonly source: SourceIndex
  readonly waitMs: number
  readonly units: number
  /** How far the source time of the message is before the present time. */
  readonly lagMs: number
}

/** Generates one step of a mostly quiet market with small moves, or one of all known faults. */
const step: fc.Arbitrary<Step> = fc.record({
  kind: fc.constantFrom('quote', 'quote', 'quote', 'quote', 'quote again', 'alive', 'alive', 'look', 'look', 'refused'),
  source: fc.constantFrom(0, 1),
  waitMs: fc.oneof(
    { weight: 8, arbitrary: fc.integer({ min: 0, max: 400 }) },
    { weight: 1, arbitrary: fc.constantFrom(1_600, 3_000, 6_000, 61_000) },
  ),
  units: fc.oneof(
    { weight: 5, arbitrary: fc.integer({ min: 9_980, max: 10_020 }) },
    { weight: 3, arbitrary: fc.integer({ min: 9_700, max: 10_700 }) },
    { weight: 1, arbitrary: fc.constantFrom(1, 5_000, 20_000) },
  ),
  lagMs: fc.oneof(
    { weight: 6, arbitrary: fc.integer({ min: 0, max: 50 }) },
    { weight: 1, arbitrary: fc.constantFrom(-6_000, -1_300, 900, 2_500, 10_000, 70_000) },
  ),
})
const run = fc.record({
  sources: fc.constantFrom(1 as const, 2 as const),
  steps: fc.array(step, { minLength: 1, maxLength: 80 }),
})
type Run = typeof run extends fc.Arbitrary<infer T> ? T : never

interface StepResult {
  readonly judged: SourceArbiter
  readonly now: Instant
  readonly effects: readonly ArbiterEffect[]
  /** The confirmed price of each source before the step. Null without one. */
  readonly before: readonly (SourceQuote | null)[]
  /** All quotes so far, with their source. */
  readonly quotes: readonly (SourceQuote & { readonly source: SourceIndex })[]
  /** How many of the quotes were ahead of the clock. */
  readonly futureCount: number
}

function play({ sources, steps }: Run, check: (result: StepResult) => void = () => undefined): ArbiterEffect[] {
  const judged = new SourceArbiter({ limits: LIMITS, sources, startedAt: instant(T0), session: () => ALWAYS })
  const quotes: (SourceQuote & { source: SourceIndex })[] = []
  const all: ArbiterEffect[] = []
  let now = T0
  let futureCount = 0
  for (const one of steps) {
    now += one.waitMs
    const source = sources === 1 ? 0 : one.source
    const at = instant(now)
    const time = instant(now - one.lagMs)
    // The effects of time are collected separately, to distinguish them from the effects of the quote.
    const looked = judged.look(at)
    all.push(...looked)
    const before = judged.sources.map(({ filter }) => filter.confirmed)
    check({ judged, now: at, effects: looked, before, quotes, futureCount })
    let effects: ArbiterEffect[]
    if (one.kind === 'look') effects = judged.look(at)
    else if (one.kind === 'alive') effects = judged.alive(source, time, at)
    else if (one.kind === 'refused') effects = judged.refused(source, at)
    else {
      // A price is often close to the previous one, even to a wild one.
      const last = quotes.findLast((quote) => quote.source === source)?.price
      const units = one.kind === 'quote again' && last !== undefined ? last : one.units
      const quote = { price: price(units), volume: volume(0), time }
      quotes.push({ ...quote, source })
      if (time > at + LIMITS.maxClockSkewMs) futureCount += 1
      effects = judged.quote(source, quote, at)
    }
    all.push(...effects)
    check({ judged, now: at, effects, before, quotes, futureCount })
  }
  return all
}

function holds(check: () => (result: StepResult) => void): void {
  fc.assert(
    fc.property(run, (one) => void play(one, check())),
    { numRuns: 1_000 },
  )
}

it('the arbiter never emits ticks backwards in time', () => {
  holds(() => {
    let passed = -Infinity
    return ({ effects }) => {
      for (const effect of effects) {
        if (effect.kind !== 'tick' && effect.kind !== 'heartbeat') continue
        const time = effect.kind === 'tick' ? effect.quote.time : effect.time
        expect(time).toBeGreaterThanOrEqual(passed)
        passed = time
      }
    }
  })
})

it('the arbiter emits only prices that a source sent, and each price only once', () => {
  holds(() => {
    const ticks: SourceQuote[] = []
    return ({ effects, quotes }) => {
      for (const effect of effects) {
        if (effect.kind !== 'tick') continue
        const { price, time } = effect.quote
        const isSame = (one: SourceQuote) => one.price === price && one.time === time
        const said = quotes.filter((one) => one.source === effect.source && isSame(one)).length
        ticks.push(effect.quote)
        expect(ticks.filter(isSame).length).toBeLessThanOrEqual(quotes.filter(isSame).length)
        expect(said).toBeGreaterThan(0)
      }
    }
  })
})

it('the arbiter emits no unconfirmed price that is far from the previous price', () => {
  holds(() => ({ effects, before, quotes }) => {
    for (const effect of effects) {
      if (effect.kind !== 'tick') continue
      const { price, time } = effect.quote
      const reference = before[effect.source]
      if (reference === null || reference === undefined || time - reference.time > 10 * LIMITS.maxTickAgeMs) continue
      if (!isFartherThan(price, reference.price, SPIKE)) continue
      const like = quotes.filter((one) => !isFartherThan(one.price, price, SPIKE))
      expect(like.length).toBeGreaterThan(1)
    }
  })
})

it('while the arbiter holds a quote, it emits no heartbeat later than the quote and marks the price as suspect', () => {
  holds(() => {
    let doubt: string | null = null
    let isDiverged = false
    return ({ judged, effects, futureCount }) => {
      for (const effect of effects) {
        if (effect.kind === 'doubt') doubt = effect.doubt
        if (effect.kind === 'began' && effect.trouble === 'divergence') isDiverged = true
        if (effect.kind === 'ended' && effect.trouble === 'divergence') isDiverged = false
      }
      const held = judged.sources[judged.used]?.filter.held ?? null
      const usual = held === null ? null : 'spike'
      // After a trade ahead of the clock, nothing is emitted for some time.
      const isLost = doubt === 'lost' && futureCount > 0
      expect(doubt).toBe(isDiverged ? 'divergence' : isLost ? 'lost' : usual)
      if (held === null) return
      for (const effect of effects) if (effect.kind === 'heartbeat') expect(effect.time).toBeLessThan(held.time)
    }
  })
})

it('P7: after a trade ahead of the clock, the arbiter emits nothing until the previous price can no longer settle an order', () => {
  holds(() => {
    let newest: Instant | null = null
    let shutUntil = -Infinity
    let futureCountBefore = 0
    return ({ judged, now, effects, futureCount, quotes }) => {
      for (const effect of effects) {
        if (effect.kind !== 'tick' && effect.kind !== 'heartbeat') continue
        expect(now).toBeGreaterThan(shutUntil)
        if (effect.kind === 'tick') newest = effect.quote.time
      }
      const source = quotes.at(-1)?.source
      const hadPrice = judged.sources[judged.used]?.quotedAt !== null
      const hasNewFutureQuote = futureCount > futureCountBefore && source === judged.used && hadPrice
      const from = judged.sources[judged.used]?.missingFrom ?? null
      futureCountBefore = futureCount
      if (!hasNewFutureQuote || newest === null || from === null || from >= newest + LIMITS.maxTickAgeMs) return
      shutUntil = Math.max(shutUntil, newest + LIMITS.maxTickAgeMs + 60_000)
    }
  })
})

it('the arbiter emits nothing during a divergence, and never a price that contradicts the other source', () => {
  holds(() => {
    let isDiverged = false
    return ({ judged, now, effects }) => {
      for (const effect of effects) {
        if (effect.kind === 'began' && effect.trouble === 'divergence') isDiverged = true
        if (effect.kind === 'ended' && effect.trouble === 'divergence') isDiverged = false
        if (effect.kind === 'heartbeat') expect(isDiverged).toBe(false)
        if (effect.kind !== 'tick') continue
        expect(isDiverged).toBe(false)
        const theirs = judged.sources[effect.source === 0 ? 1 : 0]?.freshPrice(now) ?? null
        const own = judged.sources[effect.source]?.freshPrice(now) ?? null
        if (theirs !== null && own !== null) {
          expect(isFartherThan(effect.quote.price, theirs, DIVERGENCE)).toBe(false)
        }
      }
    }
  })
})

it('the arbiter uses a healthy source when one exists and the sources do not diverge', () => {
  holds(() => {
    let isDiverged = false
    return ({ judged, effects }) => {
      for (const effect of effects) {
        if (effect.kind === 'began' && effect.trouble === 'divergence') isDiverged = true
        if (effect.kind === 'ended' && effect.trouble === 'divergence') isDiverged = false
      }
      const used = judged.sources[judged.used]
      const other = judged.sources[judged.used === 0 ? 1 : 0]
      if (isDiverged || other === undefined || other.lastMessageAt === null) return
      expect(used?.state === 'well' || other.state !== 'well').toBe(true)
    }
  })
})

it('the arbiter gives the same effects for the same calls', () => {
  fc.assert(
    fc.property(run, (one) => {
      expect(play(one)).toEqual(play(one))
    }),
  )
})
