import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { LogLine } from '#core/markets/log-text.ts'
import { decideByLine, type HistoryAnswer } from '#core/orders/rules/rule-2.ts'
import { sourceLine } from '#core/orders/rules/source-line.ts'
import { instant } from '#core/time/instant.ts'

const EXPIRY = instant(10_000)
const NONE: HistoryAnswer = { kind: 'none' }
const OF = { symbolId: 1, source: 'binance' }

/** A line of the log about a trade. `kind` is the kind of the line. */
const trade = (ref: number | null, timeMs: number, { kind = 't', ...other }: Partial<LogLine & { q: number }> = {}) =>
  ({
    kind,
    q: ref ?? 0,
    ...OF,
    price: 100 + (ref ?? 0),
    volume: 1,
    timeMs,
    receivedMs: timeMs,
    ref,
    ...other,
  }) as LogLine
const leftOut = (from: number, to: number, why: 'spike' | 'doubt' | 'lost' | 'absent' = 'spike'): LogLine => ({
  kind: 'x',
  ...OF,
  from,
  to,
  why,
})

function decide(lines: readonly LogLine[], history = NONE, maxTickAgeMs = 5_000) {
  const decision = decideByLine(sourceLine(lines, OF), { expiresAt: EXPIRY, maxTickAgeMs, history })
  if (decision.kind === 'wait') return ['wait', decision.hole.afterRef, decision.hole.beforeRef]
  if (decision.kind === 'void') return [decision.reason]
  return ['price', decision.exit.ref, decision.next?.ref ?? null]
}

const quiet = (newestRef: number, coveredUntil = 10_001): HistoryAnswer => ({
  kind: 'quiet',
  newestRef,
  coveredUntil: instant(coveredUntil),
})

describe('an expiry at 10 s', () => {
  it.each<[string, readonly LogLine[], HistoryAnswer, readonly (string | number | null)[]]>([
    ['ends at the last trade before the next one', [trade(7, 9_000), trade(8, 11_000)], NONE, ['price', 7, 8]],
    ['counts a trade at the expiry itself', [trade(7, 10_000), trade(8, 10_001)], NONE, ['price', 7, 8]],
    ['waits for a missing number', [trade(7, 9_000), trade(9, 11_000)], NONE, ['wait', 7, 9]],
    ['waits when nothing came after it', [trade(7, 9_000)], NONE, ['wait', 7, null]],
    ['waits when nothing came before it', [trade(8, 11_000)], NONE, ['wait', null, 8]],
    ['waits without any trade', [], NONE, ['wait', null, null]],
    ['passes over a spike', [trade(6, 9_000), leftOut(7, 8), trade(9, 11_000)], NONE, ['price', 6, 9]],
    [
      'waits for a trade left out in doubt',
      [trade(6, 9_000), leftOut(7, 7, 'doubt'), trade(8, 11_000)],
      NONE,
      ['wait', 6, 8],
    ],
    ['waits for a lost trade', [trade(6, 9_000), leftOut(7, 7, 'lost'), trade(8, 11_000)], NONE, ['wait', 6, 8]],
    ['names the first missing number', [trade(6, 9_000), leftOut(7, 7), trade(10, 11_000)], NONE, ['wait', 7, 10]],
    [
      'takes late evidence',
      [trade(6, 9_000), trade(8, 11_000), trade(7, 9_500, { kind: 'e', q: 90 })],
      NONE,
      ['price', 7, 8],
    ],
    [
      'sees later evidence as next',
      [trade(6, 9_000), trade(8, 12_000), trade(7, 10_500, { kind: 'e' })],
      NONE,
      ['price', 6, 7],
    ],
    ['is void by the age of the last trade', [trade(7, 4_999), trade(8, 11_000)], NONE, ['no_trade_before_expiry']],
    ['is no void when a younger trade may be missing', [trade(7, 4_999), trade(9, 11_000)], NONE, ['wait', 7, 9]],
    [
      'takes no trade of another source',
      [trade(7, 9_000), trade(8, 11_000, { source: 'coinbase' })],
      NONE,
      ['wait', 7, null],
    ],
    ['takes no trade without a number', [trade(7, 9_000), trade(null, 11_000)], NONE, ['wait', 7, null]],
    ['takes no trade that runs back', [trade(6, 9_000), trade(7, 8_000), trade(8, 11_000)], NONE, ['price', 6, 8]],
    ['ends without a next trade when the source has none', [trade(7, 9_000)], quiet(7), ['price', 7, null]],
    ['waits when the source has a newer trade', [trade(7, 9_000)], quiet(8), ['wait', 7, null]],
    ['waits when the source spoke before it', [trade(7, 9_000)], quiet(7, 10_000), ['wait', 7, null]],
    ['is void by age when the source has no later trade', [trade(7, 4_999)], quiet(7), ['no_trade_before_expiry']],
    ['ends when the venue rests', [trade(7, 9_000)], { kind: 'rests', newestRef: 7 }, ['price', 7, null]],
    [
      'is void without a history',
      [trade(7, 9_000), trade(9, 11_000)],
      { kind: 'unavailable' },
      ['history_unavailable'],
    ],
    [
      'is void by a contradiction',
      [trade(7, 9_000), trade(9, 11_000)],
      { kind: 'contradicts' },
      ['history_contradicts'],
    ],
    [
      'needs no history for a whole line',
      [trade(7, 9_000), trade(8, 11_000)],
      { kind: 'unavailable' },
      ['price', 7, 8],
    ],
  ])('%s', (_, lines, history, expected) => {
    expect(decide(lines, history)).toEqual(expected)
  })
})

it('for any trades and losses, the rule either waits or decides as with the complete list of trades', () => {
  const trades = fc
    .array(fc.tuple(fc.nat({ max: 900 }), fc.constantFrom('live', 'lost', 'late', 'spike')), {
      minLength: 1,
      maxLength: 40,
    })
    .map((list) => {
      let time = 0
      return list.map(([wait, fate], ref) => ({ ref, fate, timeMs: (time += wait) }))
    })
  fc.assert(
    fc.property(trades, (all) => {
      const prices = all.filter(({ fate }) => fate !== 'spike')
      const nextAt = prices.findIndex(({ timeMs }) => timeMs > EXPIRY)
      const exit = nextAt === -1 ? null : (prices[nextAt - 1] ?? null)
      const lines = all.flatMap(({ ref, fate, timeMs }) => {
        if (fate === 'spike') return [leftOut(ref, ref)]
        if (fate === 'lost') return []
        return [trade(ref, timeMs, { kind: fate === 'late' ? 'e' : 't' })]
      })
      const decided = decide(lines, NONE, 20_000)
      const byFullList = exit === null ? null : ['price', exit.ref, prices[nextAt]?.ref]
      if (decided[0] !== 'wait') expect(decided).toEqual(byFullList)
      const whole = decide(
        all.map(({ ref, fate, timeMs }) => (fate === 'spike' ? leftOut(ref, ref) : trade(ref, timeMs))),
        NONE,
        20_000,
      )
      expect(whole[0] === 'wait' ? null : whole).toEqual(byFullList)
    }),
  )
})
