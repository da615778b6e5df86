import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { agreedBounds, boundsOfAnswer, type ClockBounds, provenErrorMs } from '#core/time/clock-bounds.ts'

const INFINITE = { lowMs: Number.NEGATIVE_INFINITY, highMs: Number.POSITIVE_INFINITY }

describe('the clock bounds of one reply', () => {
  it.each([
    ['equal clocks', { requestedAt: 1_000, answeredAt: 1_040, time: 1_020 }, { lowMs: -21, highMs: 20 }],
    ['our clock ahead', { requestedAt: 3_000, answeredAt: 3_040, time: 1_020 }, { lowMs: 1_979, highMs: 2_020 }],
    ['our clock behind', { requestedAt: 1_000, answeredAt: 1_040, time: 3_020 }, { lowMs: -2_021, highMs: -1_980 }],
  ])('%s', (_, answer, bounds) => {
    expect(boundsOfAnswer(answer)).toEqual(bounds)
  })

  it('the bounds always contain the true difference, however long the request and the reply took', () => {
    const delay = fc.integer({ min: 0, max: 10_000 })
    fc.assert(
      fc.property(fc.integer({ min: -5_000, max: 5_000 }), delay, delay, (aheadMs, there, back) => {
        const requestedAt = 1_774_000_000_000
        const { lowMs, highMs } = boundsOfAnswer({
          requestedAt,
          answeredAt: requestedAt + there + back,
          time: requestedAt + there - aheadMs,
        })
        expect(lowMs).toBeLessThanOrEqual(aheadMs)
        expect(highMs).toBeGreaterThanOrEqual(aheadMs)
      }),
    )
  })
})

describe('the bounds that most clocks agree on', () => {
  const cases: [string, ClockBounds[], ClockBounds | null][] = [
    ['one clock', [{ lowMs: -5, highMs: 9 }], { lowMs: -5, highMs: 9 }],
    [
      'two that overlap',
      [
        { lowMs: -5, highMs: 9 },
        { lowMs: 2, highMs: 30 },
      ],
      { lowMs: 2, highMs: 9 },
    ],
    [
      'two that differ by a little, as good clocks do',
      [
        { lowMs: -5, highMs: 9 },
        { lowMs: 10, highMs: 30 },
      ],
      { lowMs: -115, highMs: 134 },
    ],
    [
      'two that differ by more',
      [
        { lowMs: -5, highMs: 9 },
        { lowMs: 260, highMs: 280 },
      ],
      null,
    ],
    [
      'one liar of three',
      [
        { lowMs: -5, highMs: 9 },
        { lowMs: -9, highMs: 4 },
        { lowMs: 4_000, highMs: 4_020 },
      ],
      { lowMs: -5, highMs: 4 },
    ],
    [
      'a stream, which proves one side only',
      [{ lowMs: null, highMs: -300 }],
      { lowMs: Number.NEGATIVE_INFINITY, highMs: -300 },
    ],
    ['nothing known', [{ lowMs: null, highMs: null }], INFINITE],
    ['no clock', [], null],
  ]
  it.each(cases)('%s', (_, bounds, agreed) => {
    expect(agreedBounds(bounds)).toEqual(agreed)
  })

  it('the agreed bounds contain the true difference whenever most clocks are right', () => {
    const truth = fc.integer({ min: -3_000, max: 3_000 })
    const around = fc.tuple(fc.nat(500), fc.nat(500))
    const any = fc.tuple(truth, fc.nat(500))
    fc.assert(
      fc.property(
        truth,
        fc.array(around, { minLength: 1, maxLength: 5 }),
        fc.array(any, { maxLength: 4 }),
        (ahead, right, lies) => {
          fc.pre(lies.length < right.length)
          const agreed = agreedBounds([
            ...right.map(([below, above]) => ({ lowMs: ahead - below, highMs: ahead + above })),
            ...lies.map(([lowMs, width]) => ({ lowMs, highMs: lowMs + width })),
          ])
          expect(agreed?.lowMs).toBeLessThanOrEqual(ahead)
          expect(agreed?.highMs).toBeGreaterThanOrEqual(ahead)
        },
      ),
    )
  })
})

it.each([
  [{ lowMs: 300, highMs: 340 }, 300],
  [{ lowMs: -340, highMs: -300 }, -300],
  [{ lowMs: -10, highMs: 400 }, 0],
  [{ lowMs: null, highMs: 400 }, 0],
  [{ lowMs: null, highMs: -1 }, -1],
])('the error that %j proves is %d ms', (bounds, ms) => {
  expect(provenErrorMs(bounds)).toBe(ms)
})
