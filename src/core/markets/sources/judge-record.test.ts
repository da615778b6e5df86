import { expect, test } from 'vitest'
import { judgeRecord } from '#core/markets/sources/judge-record.ts'
import { instant } from '#core/time/instant.ts'

const LIMITS = { decimals: 2, spike: { bp: 100, ticks: 3 }, maxTickAgeMs: 5_000 }

type Row = readonly [ref: number, price: string, timeMs: number]

function judge(
  rows: readonly Row[],
  { isNewest = false, absent = [] as { from: number; to: number }[], requestedAt = 1e6 } = {},
) {
  const trades = rows.map(([ref, price, time]) => ({ ref, price, volume: '1', time: instant(time) }))
  const judged = judgeRecord({ trades, absent, isNewest }, LIMITS, instant(requestedAt))
  return {
    prices: judged.prices.map(({ ref, price }) => [ref, price]),
    leftOut: judged.leftOut.map(({ from, to, why }) => [from, to, why]),
    isNewest: judged.isNewest,
    isSettled: judged.isSettled,
  }
}

test.each<[string, readonly Row[], unknown, unknown]>([
  [
    'each trade is a price',
    [
      [1, '10', 1],
      [2, '10.001', 2],
    ],
    [
      [1, 1_000],
      [2, 1_000],
    ],
    [],
  ],
  [
    'a trade earlier than one before it is none',
    [
      [1, '10', 5],
      [2, '10', 4],
      [3, '10', 5],
    ],
    [
      [1, 1_000],
      [3, 1_000],
    ],
    [[2, 2, 'back']],
  ],
  [
    'a price that rounds to zero is none',
    [
      [1, '10', 1],
      [2, '0.001', 2],
      [3, '10', 3],
    ],
    [
      [1, 1_000],
      [3, 1_000],
    ],
    [[2, 2, 'number']],
  ],
  [
    'a lone far price is none',
    [
      [1, '10', 1],
      [2, '12', 2],
      [3, '10.01', 3],
    ],
    [
      [1, 1_000],
      [3, 1_001],
    ],
    [[2, 2, 'spike']],
  ],
  [
    'a far price that the next one confirms counts',
    [
      [1, '10', 1],
      [2, '12', 2],
      [3, '12', 3],
    ],
    [
      [1, 1_000],
      [2, 1_200],
      [3, 1_200],
    ],
    [],
  ],
  [
    'a far price alone for the age of a price is none',
    [
      [1, '10', 1],
      [2, '12', 2],
      [3, '12', 5_002],
    ],
    [[1, 1_000]],
    [[2, 2, 'spike']],
  ],
])('%s', (_, rows, prices, leftOut) => {
  expect(judge(rows)).toMatchObject({ prices, leftOut })
})

test('a single far price at the end of the history is judged only after the next trade, or once the price is old', () => {
  const rows: Row[] = [
    [1, '10', 1],
    [2, '12', 2],
  ]
  expect(judge(rows, { isNewest: true, requestedAt: 1_000 })).toMatchObject({
    prices: [[1, 1_000]],
    isNewest: false,
    isSettled: false,
  })
  expect(judge(rows, { isNewest: true, requestedAt: 5_002 })).toMatchObject({
    leftOut: [[2, 2, 'spike']],
    isNewest: true,
  })
})

test('trade numbers that are missing from the history of a source are listed in order', () => {
  const rows: Row[] = [
    [1, '10', 5],
    [2, '10', 4],
    [6, '10', 6],
  ]
  expect(judge(rows, { absent: [{ from: 3, to: 5 }] }).leftOut).toEqual([
    [2, 2, 'back'],
    [3, 5, 'absent'],
  ])
})
