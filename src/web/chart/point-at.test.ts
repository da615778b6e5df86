import fc from 'fast-check'
import { expect, it } from 'vitest'
import { timeAtIndex } from '#web/chart/point-at.ts'
import { indexAt } from '#web/chart/time-axis.ts'

const [MINUTE, HOUR] = [60_000, 3_600_000]
const START = Date.UTC(2026, 10, 27)
const axis = (count: number, stepMs: number) => ({
  times: Array.from({ length: count }, (_, at) => START + at * stepMs),
  stepMs,
})

it('a point keeps its time when it is placed on the axis of any interval and read back', () => {
  const time = fc.integer({ min: START - 10 * HOUR, max: START + 60 * HOUR })
  fc.assert(
    fc.property(time, fc.constantFrom(MINUTE, 5 * MINUTE, HOUR), (at, stepMs) => {
      const bars = axis(40, stepMs)
      const index = indexAt(bars, at)
      expect(index === null ? null : timeAtIndex(bars, index)).toBe(at)
    }),
  )
})

it('a position within the bar before a gap has a time of that bar', () => {
  const bars = { times: [START, START + 10 * HOUR], stepMs: HOUR }
  expect(timeAtIndex(bars, 0.5)).toBe(START + HOUR / 2)
})

it('without bars a position has no time', () => {
  expect(timeAtIndex({ times: [], stepMs: MINUTE }, 3)).toBeNull()
})
