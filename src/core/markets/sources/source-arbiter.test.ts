import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { nextSession } from '#core/markets/calendar/sessions.ts'
import type { MarketType } from '#core/markets/market.ts'
import type { ArbiterEffect, ArbiterLimits, SourceIndex } from '#core/markets/sources/arbiter-types.ts'
import { SourceArbiter } from '#core/markets/sources/source-arbiter.ts'
import { price, volume } from '#core/money/price.ts'
import type { Tick } from '#core/markets/tick.ts'
import { decideSettlementPrice } from '#core/orders/rules/rule-1.ts'
import { instant, type Instant } from '#core/time/instant.ts'

const T0 = Date.UTC(2026, 2, 18, 15)
const LIMITS: ArbiterLimits = {
  silentAfterMs: 1_500,
  lateAfterMs: 2_000,
  backAfterMs: 15_000,
  divergenceBp: 100,
  divergenceTicks: 3,
  agreeAfterMs: 2_000,
  spikeBp: 100,
  spikeTicks: 3,
  maxTickAgeMs: 5_000,
  maxClockSkewMs: 5_000,
  maxTickDelayMs: 60_000,
}

/** Creates an arbiter whose effects are collected as texts. Times are in milliseconds since the start. */
function judge({
  sources = 2,
  market = 'crypto',
  start = T0,
}: {
  sources?: 1 | 2
  market?: MarketType
  start?: number
} = {}) {
  const judged = new SourceArbiter({
    limits: LIMITS,
    sources,
    startedAt: instant(start),
    session: (ms) => nextSession(market, instant(ms)),
  })
  const effectTexts: string[] = []
  const tell = (effects: ArbiterEffect[]) => {
    for (const effect of effects) effectTexts.push(textOf(effect, start))
  }
  const say = {
    quote: (source: SourceIndex, units: number, at: number, time = at) =>
      tell(
        judged.quote(
          source,
          { price: price(units), volume: volume(1), time: instant(start + time) },
          instant(start + at),
        ),
      ),
    alive: (source: SourceIndex, at: number, time = at) =>
      tell(judged.alive(source, instant(start + time), instant(start + at))),
    lost: (source: SourceIndex, at: number, from: number) =>
      tell(judged.lost(source, instant(start + from), instant(start + at))),
    refused: (source: SourceIndex, at: number) => tell(judged.refused(source, instant(start + at))),
    look: (at: number) => tell(judged.look(instant(start + at))),
    /** Returns the effects since the last call, as texts. */
    takeEffects: () => effectTexts.splice(0),
    both(units: number, from: number, to: number, stepMs = 200) {
      for (let at = from; at <= to; at += stepMs) {
        say.quote(0, units, at)
        say.quote(1, units, at)
      }
    },
    one(source: SourceIndex, units: number, from: number, to: number, stepMs = 200) {
      for (let at = from; at <= to; at += stepMs) say.quote(source, units, at)
    },
    judged,
  }
  return say
}

function textOf(effect: ArbiterEffect, start: number): string {
  switch (effect.kind) {
    case 'tick':
      return `tick ${effect.source} ${effect.quote.price} @${effect.quote.time - start}`
    case 'heartbeat':
      return `beat @${effect.time - start}`
    case 'doubt':
      return `doubt ${effect.doubt}`
    case 'switched':
      return `use ${effect.to} (${effect.why})`
    case 'dropped':
      return `dropped ${effect.quote.price}`
    case 'missed':
      return `missed ${effect.from === null ? 'all' : `@${effect.from - start}`}`
    case 'left_out':
      return `left out ${effect.source} ${effect.ref} (${effect.why})`
    default:
      return `${effect.kind} ${effect.trouble} ${effect.source} @${effect.at - start}`
  }
}

describe('AT11: an arbiter with limits in percent and in tick sizes', () => {
  it('P4: the arbiter accepts prices that alternate by one tick size, even when this is more than 1 % of the price', () => {
    const say = judge({ sources: 1 })
    for (let nth = 0; nth < 8; nth += 1) say.quote(0, nth % 2 === 0 ? 73 : 74, nth * 300)
    expect(say.takeEffects()).toEqual(
      [73, 74, 73, 74, 73, 74, 73, 74].map((units, nth) => `tick 0 ${units} @${nth * 300}`),
    )
    expect(say.judged.sources[0]?.unused).toEqual({})
  })

  it('P4: the arbiter accepts a move equal to the limit in tick sizes, and holds a larger move', () => {
    const say = judge({ sources: 1 })
    say.quote(0, 73, 0)
    say.quote(0, 76, 300)
    say.quote(0, 80, 600)
    expect(say.takeEffects()).toEqual(['tick 0 73 @0', 'tick 0 76 @300', 'doubt spike'])
  })

  it('P4: the arbiter confirms a held price by another price within the limit in tick sizes', () => {
    const say = judge({ sources: 1 })
    say.quote(0, 73, 0)
    say.quote(0, 80, 300)
    say.quote(0, 81, 600)
    expect(say.takeEffects()).toEqual(['tick 0 73 @0', 'doubt spike', 'tick 0 80 @300', 'tick 0 81 @600', 'doubt null'])
  })

  it('P4: the arbiter finds no divergence between sources a few tick sizes apart', () => {
    const say = judge()
    for (let at = 0; at < 3_000; at += 300) {
      say.quote(0, 73, at)
      say.quote(1, 75, at)
    }
    expect(say.takeEffects().filter((text) => !text.startsWith('tick 0 73'))).toEqual([])
    say.quote(1, 77, 3_000)
    expect(say.takeEffects()).toContain('doubt divergence')
  })

  it('P4: the arbiter ends a divergence when sources agree within the limit in tick sizes', () => {
    const say = judge()
    for (let at = 0; at <= 600; at += 200) {
      say.quote(0, 73, at)
      say.quote(1, 79, at)
    }
    expect(say.takeEffects()).toContain('doubt divergence')
    for (let at = 800; at <= 3_000; at += 200) {
      say.quote(0, 76, at)
      say.quote(1, 79, at)
    }
    expect(say.takeEffects().at(-1)).toBe('tick 0 76 @3000')
  })
})

describe('AT11: a split between two sessions', () => {
  const CLOSE = Date.UTC(2022, 7, 24, 20)
  const OPEN = 17.5 * 3_600_000

  it.each([1, 2] as const)('P7: does not hold the first prices after the split, with %s source(s)', (sources) => {
    const say = judge({ sources, market: 'us_stocks', start: CLOSE })
    say.quote(0, 89_129, -100)
    if (sources === 2) say.quote(1, 89_130, -50)
    for (let at = 0; at <= 2_000; at += 500) say.look(at)
    say.takeEffects()
    say.look(OPEN)
    say.quote(0, 30_236, OPEN + 10)
    if (sources === 2) say.quote(1, 30_240, OPEN + 20)
    say.quote(0, 30_250, OPEN + 30)
    const ticks = say.takeEffects().filter((text) => /^(?:tick|doubt)/.test(text))
    expect(ticks).toEqual([`tick 0 30236 @${OPEN + 10}`, `tick 0 30250 @${OPEN + 30}`])
  })
})

describe('AT11: trades that make no price', () => {
  it('the arbiter counts unused trades by source and reason', () => {
    const say = judge()
    say.quote(0, 10_000, 70_000, 60_000)
    say.quote(0, 10_001, 70_100, 59_999)
    say.quote(1, 10_000, 70_200, 75_201)
    say.quote(1, 10_000, 70_300, 10_299)
    say.quote(1, 10_000, 70_400)
    say.quote(1, 20_000, 70_500)
    say.quote(1, 10_000, 70_600)
    expect(say.judged.sources.map(({ unused }) => unused)).toEqual([
      { out_of_order: 1 },
      { ahead: 1, late: 1, spike: 1 },
    ])
  })

  it('the arbiter counts unused trades of the used source during a divergence', () => {
    const say = judge()
    for (let at = 0; at < 1_000; at += 200) {
      say.quote(0, 10_000, at)
      say.quote(1, 10_500, at)
    }
    expect(say.takeEffects()).toContain('doubt divergence')
    // The first price was emitted before the other source sent one.
    expect(say.judged.sources.map(({ unused }) => unused)).toEqual([{ divergence: 4 }, {}])
  })

  it('the arbiter counts trades outside the session, but not alive messages', () => {
    const start = Date.UTC(2026, 2, 18, 21)
    const say = judge({ sources: 1, market: 'us_stocks', start })
    say.quote(0, 10_000, 100)
    say.alive(0, 200, 9_000)
    expect(say.judged.sources[0]?.unused).toEqual({ outside_session: 1 })
  })
})

describe('AT11: one source', () => {
  it('the arbiter emits quotes as ticks, and times of alive messages as heartbeats', () => {
    const say = judge({ sources: 1 })
    say.quote(0, 10_000, 50, 10)
    say.alive(0, 500)
    say.quote(0, 10_010, 600)
    expect(say.takeEffects()).toEqual(['tick 0 10000 @10', 'beat @500', 'tick 0 10010 @600'])
  })

  it('the arbiter emits late quotes, but no quote that runs backwards, is over a minute late, or is ahead of the clock', () => {
    const say = judge({ sources: 1 })
    say.quote(0, 10_000, 70_000, 60_000)
    say.quote(0, 10_001, 70_100, 60_000)
    say.quote(0, 10_002, 70_200, 59_999)
    say.quote(0, 10_003, 130_000, 69_999)
    say.quote(0, 10_004, 130_100, 135_101)
    say.quote(0, 10_005, 130_200, 135_200)
    expect(say.takeEffects().filter((text) => text.startsWith('tick'))).toEqual([
      'tick 0 10000 @60000',
      'tick 0 10001 @60000',
      'tick 0 10005 @135200',
    ])
    expect(say.judged.sources[0]?.unused).toEqual({ out_of_order: 1, late: 1, ahead: 1 })
  })

  it('the arbiter holds a single far price and drops this price when the next price is near the earlier price', () => {
    const say = judge({ sources: 1 })
    say.quote(0, 10_000, 0)
    say.quote(0, 10_500, 100)
    say.alive(0, 150)
    say.quote(0, 10_001, 200)
    expect(say.takeEffects()).toEqual([
      'tick 0 10000 @0',
      'doubt spike',
      'beat @99',
      'dropped 10500',
      'tick 0 10001 @200',
      'doubt null',
    ])
  })

  it('the arbiter does not hold a far price whose time runs backwards', () => {
    const say = judge({ sources: 1 })
    say.quote(0, 10_000, 100)
    say.quote(0, 10_500, 200, 99)
    say.quote(0, 10_490, 300, 99)
    expect(say.takeEffects()).toEqual(['tick 0 10000 @100'])
  })

  it('the arbiter emits a held price and the price that confirms it with their own times', () => {
    const say = judge({ sources: 1 })
    say.quote(0, 10_000, 0)
    say.quote(0, 10_500, 100)
    say.quote(0, 10_490, 300)
    expect(say.takeEffects()).toEqual([
      'tick 0 10000 @0',
      'doubt spike',
      'tick 0 10500 @100',
      'tick 0 10490 @300',
      'doubt null',
    ])
  })

  it.each([9_000, 12_000])('a price far from both earlier prices replaces the held price: %s', (units) => {
    const say = judge({ sources: 1 })
    say.quote(0, 10_000, 0)
    say.quote(0, 10_500, 100)
    say.quote(0, units, 200)
    say.quote(0, units + 1, 300)
    expect(say.takeEffects().slice(2)).toEqual([
      'dropped 10500',
      `tick 0 ${units} @200`,
      `tick 0 ${units + 1} @300`,
      'doubt null',
    ])
  })

  it('the arbiter assigns a price near both the last and the held price to the nearer of the two', () => {
    const say = judge({ sources: 1 })
    say.quote(0, 10_000, 0)
    say.quote(0, 10_150, 100)
    say.quote(0, 10_080, 200)
    expect(say.takeEffects().slice(2)).toEqual(['tick 0 10150 @100', 'tick 0 10080 @200', 'doubt null'])
    const again = judge({ sources: 1 })
    again.quote(0, 10_000, 0)
    again.quote(0, 10_150, 100)
    again.quote(0, 10_070, 200)
    expect(again.takeEffects().slice(2)).toEqual(['dropped 10150', 'tick 0 10070 @200', 'doubt null'])
  })

  it('the arbiter drops a held price not confirmed within the maximum age, then emits the heartbeat', () => {
    const say = judge({ sources: 1 })
    say.quote(0, 10_000, 0)
    say.quote(0, 10_500, 100)
    say.alive(0, 5_000)
    say.takeEffects()
    say.look(5_099)
    expect(say.takeEffects()).toEqual([])
    say.look(5_100)
    expect(say.takeEffects()).toEqual(['dropped 10500', 'beat @5000', 'doubt null'])
  })

  it('the arbiter accepts any price after a long silence', () => {
    const say = judge({ sources: 1 })
    say.quote(0, 10_000, 0)
    say.quote(0, 10_500, 50_001)
    expect(say.takeEffects().filter((text) => text.startsWith('tick'))).toHaveLength(2)
  })

  it('with one source, the arbiter cannot fail over, and reports the beginning and the end of a silence of a minute once', () => {
    const say = judge({ sources: 1 })
    say.quote(0, 10_000, 0)
    for (let at = 200; at <= 120_000; at += 200) say.look(at)
    expect(say.takeEffects()).toEqual(['tick 0 10000 @0', 'began gap null @0', 'began silent 0 @1600'])
    say.quote(0, 10_000, 120_100)
    expect(say.takeEffects()).toEqual(['tick 0 10000 @120100', 'ended silent 0 @120100', 'ended gap null @120100'])
  })
})

describe('AT11: two sources', () => {
  it('with two healthy sources, the arbiter emits only ticks of the first source', () => {
    const say = judge()
    say.quote(1, 10_005, 0)
    say.quote(0, 10_000, 10)
    say.alive(1, 20)
    say.quote(1, 10_006, 30)
    expect(say.takeEffects()).toEqual(['tick 0 10000 @10'])
  })

  it.each([
    ['dies', (say: ReturnType<typeof judge>) => say.one(1, 10_020, 1_100, 2_700), 'silent'],
    [
      'lags',
      (say: ReturnType<typeof judge>) => {
        for (let at = 1_100; at <= 3_300; at += 100) {
          say.quote(0, 10_000, at, 1_000)
          say.quote(1, 10_020, at)
        }
      },
      'late',
    ],
    ['is refused', (say: ReturnType<typeof judge>) => say.refused(0, 1_100), 'refused'],
  ])('the newest price of the second source is used immediately when the first source %s', (_, happens, why) => {
    const say = judge()
    say.both(10_000, 0, 1_000)
    say.takeEffects()
    happens(say)
    const effects = say.takeEffects().filter((text) => !/^(?:tick 0|began)/.test(text))
    expect(effects[0]).toBe(`use 1 (${why})`)
    if (why === 'silent') expect(effects[1]).toBe('tick 1 10020 @2300')
    if (why === 'late') expect(effects[1]).toMatch(/^tick 1 10020/)
  })

  it('the arbiter returns to the first source once that source has been healthy without interruption for long enough', () => {
    const say = judge()
    say.both(10_000, 0, 1_000)
    say.one(1, 10_000, 1_200, 10_000)
    say.both(10_000, 10_200, 20_000)
    say.one(1, 10_000, 20_200, 22_000)
    say.takeEffects()
    say.both(10_000, 22_200, 37_000)
    expect(say.takeEffects().some((text) => text.startsWith('use'))).toBe(false)
    say.both(10_000, 37_200, 37_200)
    expect(say.takeEffects()).toEqual(['use 0 (well)', 'tick 0 10000 @37200'])
  })

  it('the arbiter returns to the first source immediately when the second source is unhealthy', () => {
    const say = judge()
    say.both(10_000, 0, 1_000)
    say.one(1, 10_000, 1_200, 4_000)
    say.both(10_000, 4_200, 5_000)
    say.takeEffects()
    say.one(0, 10_000, 5_200, 7_000)
    expect(say.takeEffects()[0]).toBe('use 0 (silent)')
  })

  it('the arbiter does not fail over to a source without any message', () => {
    const say = judge()
    say.refused(0, 100)
    say.look(200)
    expect(say.takeEffects()).toEqual(['began refused 0 @100'])
  })

  it('the arbiter ignores a refused source until it sends a message', () => {
    const say = judge()
    say.both(10_000, 0, 1_000)
    say.refused(1, 1_100)
    for (const [step, units] of [10_090, 10_180, 10_270].entries()) say.quote(0, units, 1_200 + step * 200)
    expect(say.takeEffects().filter((text) => /^(?:doubt|use)/.test(text))).toEqual([])
    say.one(0, 10_270, 1_800, 30_000)
    say.quote(1, 10_270, 30_000)
    expect(say.takeEffects().at(-1)).toBe('ended refused 1 @30000')
    expect(say.judged.sources[1]?.state).toBe('well')
  })

  it('the arbiter compares no price with a lagging source, a silent source or an old price', () => {
    const lags = judge()
    lags.both(10_000, 0, 1_000)
    for (let at = 1_200; at <= 8_000; at += 200) {
      lags.quote(0, 10_000, at, 1_000)
      lags.quote(1, 10_000 + (at - 1_000) / 20, at)
    }
    const died = judge()
    died.both(10_000, 0, 1_000)
    died.one(1, 10_000, 1_200, 3_000)
    for (const [step, units] of [10_090, 10_180, 10_270].entries()) died.quote(1, units, 3_200 + step * 200)
    const quiet = judge()
    quiet.both(10_000, 0, 0)
    for (let at = 200; at <= 6_000; at += 200) {
      quiet.alive(1, at)
      quiet.quote(0, at < 5_200 ? 10_000 : 10_090, at)
    }
    quiet.quote(0, 10_180, 6_100)
    for (const say of [lags, died, quiet]) expect(say.takeEffects().filter((text) => /diverg/.test(text))).toEqual([])
  })

  it('the arbiter never emits ticks backwards in time across a failover', () => {
    const say = judge()
    say.both(10_000, 0, 1_000)
    say.alive(0, 1_050, 1_400)
    for (let at = 1_100; at < 3_500; at += 100) say.quote(1, 10_000, at, at - 900)
    expect(say.takeEffects().slice(-5)).toEqual([
      'tick 1 10000 @2100',
      'tick 1 10000 @2200',
      'tick 1 10000 @2300',
      'tick 1 10000 @2400',
      'tick 1 10000 @2500',
    ])
  })

  it('the arbiter fails over from a source that is alive but had no price for too long', () => {
    const say = judge()
    say.both(10_000, 0, 1_000)
    say.takeEffects()
    for (let at = 1_200; at <= 6_200; at += 200) {
      say.alive(0, at)
      say.quote(1, 10_001, at)
    }
    expect(say.takeEffects().slice(-2)).toEqual(['use 1 (late)', 'tick 1 10001 @6200'])
  })

  it('the arbiter emits nothing during a divergence until both sources have agreed for long enough', () => {
    const say = judge()
    say.both(10_000, 0, 1_000)
    say.takeEffects()
    // None of these prices becomes a tick.
    for (let at = 1_200; at <= 2_000; at += 200) {
      say.quote(0, 10_500, at)
      say.quote(1, 10_000, at)
      say.alive(0, at)
    }
    expect(say.takeEffects()).toEqual(['doubt spike', 'beat @1199', 'doubt divergence', 'began divergence null @1400'])
    say.both(10_000, 2_200, 4_000)
    expect(say.takeEffects()).toEqual([])
    say.look(4_200)
    expect(say.takeEffects()).toEqual(['ended divergence null @4200', 'tick 0 10000 @4000', 'doubt null'])
  })

  it('the divergence does not end while one source is silent, because silence is no agreement', () => {
    const say = judge()
    say.both(10_000, 0, 1_000)
    say.one(0, 10_500, 1_200, 1_400)
    say.both(10_000, 1_600, 1_600)
    say.one(0, 10_000, 1_800, 3_500)
    say.takeEffects()
    say.look(3_650)
    expect(say.takeEffects()).toEqual([])
    say.both(10_000, 3_800, 5_600)
    expect(say.takeEffects()).toEqual([])
    say.look(5_800)
    expect(say.takeEffects()[0]).toBe('ended divergence null @5800')
  })

  it('after a divergence, the price stays suspect while both sources are silent, until one of them sends prices again', () => {
    const say = judge()
    say.both(10_000, 0, 1_000)
    say.one(0, 10_500, 1_200, 1_400)
    for (let at = 1_600; at < 120_000; at += 200) say.look(at)
    expect(say.takeEffects().some((text) => text.startsWith('ended'))).toBe(false)
    say.one(1, 10_000, 120_000, 120_200)
    expect(say.takeEffects()).toContain('ended divergence null @120000')
  })

  it('the arbiter ends a divergence when one source has been gone for a minute', () => {
    const say = judge()
    say.both(10_000, 0, 1_000)
    say.one(0, 10_500, 1_200, 1_600)
    say.takeEffects()
    say.one(1, 10_000, 1_600, 63_000)
    expect(say.takeEffects()).toEqual(['began gap null @1000'])
    say.one(1, 10_000, 63_200, 64_000)
    expect(say.takeEffects().slice(0, 4)).toEqual([
      'began silent 0 @3200',
      'use 1 (silent)',
      'ended divergence null @63200',
      'tick 1 10000 @63000',
    ])
  })

  it('the arbiter confirms a jump that both sources make at the same time', () => {
    const say = judge()
    say.both(10_000, 0, 1_000)
    say.takeEffects()
    say.quote(0, 10_500, 1_100)
    say.quote(1, 10_490, 1_150)
    expect(say.takeEffects()).toEqual(['doubt spike', 'tick 0 10500 @1100', 'doubt null'])
  })

  it('the arbiter confirms a held price by a fresh price of the other source', () => {
    const say = judge()
    say.quote(0, 10_000, 0)
    say.quote(1, 10_090, 10)
    say.takeEffects()
    say.quote(0, 10_120, 100)
    expect(say.takeEffects()).toEqual(['tick 0 10120 @100'])
  })

  it('the arbiter ignores a single wild price of the second source', () => {
    const say = judge()
    say.both(10_000, 0, 1_000)
    say.takeEffects()
    say.quote(1, 20_000, 1_100)
    say.quote(0, 10_001, 1_200)
    say.quote(1, 10_000, 1_300)
    expect(say.takeEffects()).toEqual(['tick 0 10001 @1200', 'dropped 20000'])
  })

  it('the arbiter uses prices of both sources although their clocks are wrong', () => {
    const say = judge()
    for (let at = 0; at <= 60_000; at += 500) {
      say.quote(0, 10_000, at, at + 1_300)
      say.quote(1, 10_000, at, at - 2_500)
    }
    expect(say.judged.used).toBe(0)
    expect(say.judged.sources.map(({ state }) => state)).toEqual(['well', 'well'])
  })
})

describe('AT11: a session', () => {
  // The New York exchange on a Wednesday in summer time: 13:30 to 20:00 UTC.
  const OPEN = Date.UTC(2026, 2, 18, 13, 30)
  const CLOSE = Date.UTC(2026, 2, 18, 20)

  it('the arbiter accepts prices from the first to the last millisecond of a session, and only heartbeats outside of it', () => {
    const say = judge({ market: 'us_stocks', sources: 1, start: CLOSE })
    say.quote(0, 10_000, -1)
    say.quote(0, 10_001, 0)
    say.quote(0, 10_900, 1)
    expect(say.takeEffects()).toEqual(['tick 0 10000 @-1', 'tick 0 10001 @0', 'beat @1'])
    const open = judge({ market: 'us_stocks', sources: 1, start: OPEN })
    open.quote(0, 9_000, -1)
    open.quote(0, 10_000, 0)
    expect(open.takeEffects()).toEqual(['beat @-1', 'tick 0 10000 @0'])
  })

  it('the arbiter expects no messages while the market is closed', () => {
    const say = judge({ market: 'us_stocks', start: OPEN - 600_000 })
    for (let at = 0; at < 601_000; at += 200) say.look(at)
    expect(say.takeEffects()).toEqual([])
    say.quote(1, 10_000, 601_000)
    for (let at = 601_200; at < 602_000; at += 200) say.quote(1, 10_000, at)
    expect(say.takeEffects()[0]).toBe('use 1 (silent)')
  })
})

describe('AT11: lost trades', () => {
  it('P1: the arbiter holds all ticks until the price before the loss can no longer settle an order, then emits the held prices that are not too old', () => {
    const { quote, alive, look, lost, takeEffects } = judge({ sources: 1 })
    quote(0, 100, 1_000)
    takeEffects()
    lost(0, 1_400, 1_200)
    for (const at of [1_500, 6_000, 6_200, 30_000]) quote(0, 101, at)
    alive(0, 31_000)
    look(66_000)
    expect(takeEffects()).toEqual(['doubt lost', expect.stringContaining('gap')])
    // At 6 s, the price with the time 1 s is too old for an order. Orders that expire at 6 s are void 60 s later.
    look(66_001)
    expect(takeEffects()).toEqual([
      'tick 0 101 @6200',
      'tick 0 101 @30000',
      'beat @31000',
      expect.stringContaining('gap'),
      'doubt null',
    ])
    quote(0, 102, 66_100)
    expect(takeEffects()).toEqual(['tick 0 102 @66100'])
  })

  it('P1: the arbiter waits longer when more trades are lost during the wait', () => {
    const { quote, look, lost, takeEffects } = judge({ sources: 1 })
    quote(0, 100, 1_000)
    lost(0, 1_400, 1_200)
    quote(0, 101, 40_000)
    lost(0, 41_000, 40_000)
    quote(0, 102, 50_000)
    takeEffects()
    look(105_000)
    expect(takeEffects().filter((text) => text.startsWith('tick'))).toEqual([])
    look(105_001)
    expect(takeEffects().filter((text) => text.startsWith('tick'))).toEqual(['tick 0 102 @50000'])
  })

  it('lost trades change nothing when the last price was already too old or the source is not used', () => {
    const { quote, lost, takeEffects } = judge()
    quote(0, 100, 1_000)
    quote(1, 100, 1_000)
    takeEffects()
    lost(1, 1_400, 1_200)
    lost(0, 9_000, 6_000)
    quote(0, 101, 9_100)
    expect(takeEffects()).toEqual(['tick 0 101 @9100'])
  })

  it('P7: a trade ahead of the clock counts as lost: no tick or heartbeat is emitted for the same wait', () => {
    const { quote, alive, look, takeEffects } = judge({ sources: 1 })
    quote(0, 100, 1_000)
    quote(0, 200, 2_000, 7_001)
    expect(takeEffects()).toEqual(['tick 0 100 @1000', 'missed @999', 'doubt lost'])
    for (const at of [3_000, 7_500, 9_000]) alive(0, at)
    quote(0, 101, 9_500)
    expect(takeEffects()).toEqual([])
    look(66_001)
    expect(takeEffects()).toEqual(expect.arrayContaining(['tick 0 101 @9500', 'doubt null']))
  })

  it('P7: the arbiter stops a symbol for a minute when its source has a wrong clock, until failover', () => {
    const { quote, takeEffects } = judge()
    quote(0, 100, 1_000)
    quote(1, 100, 1_000)
    for (let at = 1_200; at <= 90_000; at += 200) {
      quote(0, 100, at, at + 6_000)
      quote(1, 101, at)
    }
    const all = takeEffects()
    expect(all).toContain('use 1 (silent)')
    expect(all.indexOf('doubt null')).toBeGreaterThan(all.indexOf('doubt lost'))
    expect(all.at(-1)).toBe('tick 1 101 @90000')
  })

  it('P7: a price before a trade ahead of the clock settles no order, not even after a failover', () => {
    const { quote, look, takeEffects } = judge()
    quote(0, 100, 1_000)
    quote(1, 101, 1_100)
    quote(1, 200, 1_200, 6_201)
    takeEffects()
    look(2_500)
    const all = takeEffects()
    expect(all).toContain('use 1 (silent)')
    expect(all.at(-1)).toBe('doubt lost')
  })

  it('P7: a loss of the standby source counts at a failover, unless the source has sent a price since', () => {
    const { quote, alive, look, lost, takeEffects } = judge()
    quote(0, 100, 1_000)
    quote(1, 101, 1_100)
    alive(1, 1_200)
    lost(1, 1_300, 1_200)
    takeEffects()
    look(2_500)
    expect(takeEffects()).toEqual(['use 1 (silent)', 'tick 1 101 @1100', 'missed @1200', 'doubt lost'])
    const priced = judge()
    priced.quote(0, 100, 1_000)
    priced.lost(1, 1_300, 1_200)
    priced.quote(1, 101, 1_400)
    priced.takeEffects()
    priced.look(2_500)
    expect(priced.takeEffects()).toEqual(['use 1 (silent)', 'tick 1 101 @1400'])
  })

  it('P1: never let the price before the loss settle an order that expires after the loss', () => {
    const moment = fc.integer({ min: 1, max: 9_000 })
    fc.assert(
      fc.property(moment, moment, fc.array(fc.nat({ max: 9_000 }), { maxLength: 6 }), (from, gapMs, ends) => {
        const { judged } = judge({ sources: 1 })
        const log: Tick[] = []
        let watermark: Instant | null = null
        const hear = (effects: ArbiterEffect[], now: number) => {
          for (const effect of effects) {
            if (effect.kind === 'heartbeat') watermark = effect.time
            if (effect.kind !== 'tick') continue
            watermark = effect.quote.time
            log.push({ ...effect.quote, symbolId: 1, source: 'a', seq: log.length, receivedAt: instant(now) })
          }
        }
        const quote = (at: number) => ({ price: price(100), volume: volume(1), time: instant(T0 + at) })
        hear(judged.quote(0, quote(0), instant(T0)), T0)
        const back = from + 1 + gapMs
        hear(judged.lost(0, instant(T0 + from), instant(T0 + back)), T0 + back)
        const decided = new Map<number, string>()
        for (let at = back; at < 90_000; at += 250) {
          const now = instant(T0 + at)
          hear(judged.quote(0, quote(at), now), now)
          for (const end of ends) {
            const expiresAt = instant(T0 + from + 1 + end)
            if (decided.has(end) || now <= expiresAt) continue
            const last = log.findLast(({ time }) => time <= expiresAt) ?? null
            const next = log.find(({ time }) => time > expiresAt) ?? null
            const decision = decideSettlementPrice({ expiresAt, last, next, watermark, maxTickAgeMs: 5_000, now })
            if (decision.kind === 'wait') continue
            decided.set(end, decision.kind)
            if (decision.kind === 'price') expect(decision.exit.time).toBeGreaterThan(T0)
          }
        }
        expect(decided.size).toBe(new Set(ends).size)
      }),
      { numRuns: 60 },
    )
  })
})
