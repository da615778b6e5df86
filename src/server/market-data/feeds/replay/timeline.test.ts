import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { instant, later } from '#core/time/instant.ts'
import { firstRowAt, recordedTimeToInstant, type Timeline } from '#server/market-data/feeds/replay/timeline.ts'

const START = instant(1_700_000_000_000)

const recordings = fc
  .array(fc.oneof(fc.constant(0), fc.nat(5), fc.nat(100_000)), { minLength: 1, maxLength: 60 })
  .map((gaps) => {
    let position = 0
    const positions = Float64Array.from(gaps, (gap, at) => (position += at === 0 ? 0 : gap))
    return { positions, loopMs: position + 1_000 }
  })
const speeds = fc.oneof(fc.constantFrom(1, 2, 60, 0.5, 0.1, 1 / 3), fc.double({ min: 0.01, max: 500, noNaN: true }))

describe('the time of a recorded row', () => {
  test.each([
    ['at the start', { speed: 1, offsetMs: 0 }, 0, 0, 0],
    ['at its own distance', { speed: 1, offsetMs: 0 }, 0, 617, 617],
    ['in the second loop', { speed: 1, offsetMs: 0 }, 1, 617, 10_617],
    ['in the loop before', { speed: 1, offsetMs: 0 }, -1, 617, -9_383],
    ['from an offset', { speed: 1, offsetMs: 600 }, 0, 617, 17],
    ['twice as fast, rounded up', { speed: 2, offsetMs: 0 }, 0, 617, 309],
    ['at half the speed', { speed: 0.5, offsetMs: 0 }, 0, 617, 1_234],
  ])('equals the expected instant: %s', (_, options, loop, position, expected) => {
    const timeline: Timeline = { startAt: START, loopMs: 10_000, ...options }
    expect(recordedTimeToInstant(timeline, loop, position) - START).toBe(expected)
  })

  test('keeps the order of rows, and firstRowAt finds exactly the first', () => {
    fc.assert(
      fc.property(
        recordings,
        speeds,
        fc.nat(1_000_000),
        fc.integer({ min: -1_000_000, max: 1_000_000 }),
        (recording, speed, offsetMs, away) => {
          const { positions, loopMs } = recording
          const timeline: Timeline = { startAt: START, speed, offsetMs, loopMs }
          const rows = positions.length
          const instantOf = (number: number) => {
            const loop = Math.floor(number / rows)
            return recordedTimeToInstant(timeline, loop, positions[number - loop * rows] ?? 0)
          }
          const at = later(START, away)
          const found = firstRowAt(timeline, positions, at)
          expect(instantOf(found)).toBeGreaterThanOrEqual(at)
          expect(instantOf(found - 1)).toBeLessThan(at)
          for (let number = found; number < found + 70; number += 1) {
            expect(instantOf(number + 1)).toBeGreaterThanOrEqual(instantOf(number))
          }
        },
      ),
    )
  })
})
