import { expect, test } from 'vitest'
import { indexAt } from '#web/chart/time-axis.ts'

const axis = { times: [60_000, 120_000, 180_000, 600_000], stepMs: 60_000 }

test.each([
  ['on the first bar', 60_000, 0],
  ['half way to the next', 90_000, 0.5],
  ['on a bar', 180_000, 2],
  ['before the first', 30_000, -0.5],
  ['after the last, by whole steps', 720_000, 5],
  ['a closed market takes no room', 400_000, 3],
  ['the start of a gap', 210_000, 2.5],
])('%s', (_, at, index) => {
  expect(indexAt(axis, at)).toBeCloseTo(index)
})

test('a time has no index without bars', () => {
  expect(indexAt({ times: [], stepMs: 60_000 }, 1)).toBeNull()
})
