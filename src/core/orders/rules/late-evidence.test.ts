import { describe, expect, it } from 'vitest'
import type { JudgedRecord } from '#core/markets/sources/judge-record.ts'
import { price, volume } from '#core/money/price.ts'
import { evidenceFor, pauseAfterQuestions } from '#core/orders/rules/late-evidence.ts'
import type { SourceLine } from '#core/orders/rules/source-line.ts'
import { instant } from '#core/time/instant.ts'

const EXPIRY = instant(1_000)

type Trade = readonly [ref: number, timeMs: number, units?: number]

function line(trades: readonly Trade[], leftOut: SourceLine['leftOut'] = []): SourceLine {
  return {
    prices: trades.map(([ref, time, units = 10], q) => ({
      ref,
      price: price(units),
      time: instant(time),
      q,
      receivedAt: instant(time),
      isLate: false,
    })),
    leftOut,
  }
}

function record(trades: readonly Trade[], change: Partial<JudgedRecord> = {}): JudgedRecord {
  return {
    prices: trades.map(([ref, time, units = 10]) => ({
      ref,
      price: price(units),
      volume: volume(1),
      time: instant(time),
    })),
    leftOut: [],
    isNewest: false,
    isSettled: true,
    ...change,
  }
}

function refs(known: SourceLine, evidence: JudgedRecord) {
  const found = evidenceFor(known, evidence, EXPIRY)
  return found.kind === 'found' ? { ...found, prices: found.prices.map(({ ref }) => ref) } : found
}

describe('late evidence of an expiry', () => {
  it('late evidence has the last price up to the expiry and the first price after it, if the log lacks them', () => {
    const evidence = record([
      [1, 900],
      [2, 950],
      [3, 990],
      [4, 1_001],
      [5, 1_002],
    ])
    expect(refs(line([[1, 900]]), evidence)).toEqual({ kind: 'found', prices: [3, 4], leftOut: [], newestRef: null })
    expect(
      refs(
        line([
          [1, 900],
          [3, 990],
        ]),
        evidence,
      ),
    ).toMatchObject({ prices: [4] })
    expect(
      refs(
        line([
          [1, 900],
          [4, 1_001],
        ]),
        evidence,
      ),
    ).toMatchObject({ prices: [3] })
  })

  it('late evidence lists trades between exit and next price that made no price, even when the log has both prices', () => {
    const leftOut = [{ from: 4, to: 6, why: 'absent' }] as const
    const evidence = record(
      [
        [3, 990],
        [7, 1_001],
      ],
      { leftOut },
    )
    expect(
      refs(
        line([
          [3, 990],
          [7, 1_001],
        ]),
        evidence,
      ),
    ).toMatchObject({ prices: [3], leftOut })
    expect(
      refs(
        line(
          [
            [3, 990],
            [7, 1_001],
          ],
          [...leftOut],
        ),
        evidence,
      ),
    ).toMatchObject({ prices: [], leftOut: [] })
  })

  it('late evidence does not contain a trade that the log left out for a final reason', () => {
    const evidence = record([
      [1, 900],
      [2, 950],
      [3, 1_001],
    ])
    const known = line([[1, 900]], [{ from: 2, to: 2, why: 'spike' }])
    expect(refs(known, evidence)).toMatchObject({ prices: [3] })
  })

  it('late evidence names the newest trade of the source when the source has no trade after the expiry', () => {
    expect(
      refs(
        line([[1, 900]]),
        record(
          [
            [1, 900],
            [2, 950],
          ],
          { isNewest: true },
        ),
      ),
    ).toEqual({
      kind: 'found',
      prices: [2],
      leftOut: [],
      newestRef: 2,
    })
  })

  it.each([
    ['another price', [1, 900, 11]],
    ['another time', [1, 901, 10]],
  ] as const)('a history that has %s for a number in the log is refused', (_, trade) => {
    expect(refs(line([[1, 900]]), record([trade, [2, 1_001]]))).toEqual({ kind: 'differs', ref: 1 })
  })

  it.each([
    ['does not begin before the expiry', record([[5, 1_001]])],
    ['ends before the expiry without being the newest', record([[1, 900]])],
  ])('the history of the source counts as too short when it %s', (_, evidence) => {
    expect(refs(line([]), evidence)).toEqual({ kind: 'short' })
  })
})

it('the pause before the next request grows with each request, up to five minutes', () => {
  const pauses = Array.from({ length: 9 }, (_, at) => pauseAfterQuestions(at + 1) / 1_000)
  expect(pauses).toEqual([1, 2, 5, 10, 30, 60, 300, 300, 300])
})
