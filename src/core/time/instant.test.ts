import fc from 'fast-check'
import { expect, it } from 'vitest'
import { DAY_MS, instant, toIso } from '#core/time/instant.ts'

const LATEST = 8_640_000_000_000_000

it('toIso equals toISOString for instants in any order', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: -LATEST, max: LATEST })), fc.nat(200_000_000), (anyTimes, near) => {
      const times = [0, -1, near, -near, near + 1, LATEST, -LATEST, ...anyTimes]
      expect(times.map((ms) => toIso(instant(ms)))).toEqual(times.map((ms) => new Date(ms).toISOString()))
    }),
  )
})

it('toIso throws beyond the range of a Date', () => {
  expect(() => toIso(instant(LATEST + DAY_MS))).toThrow(RangeError)
  expect(() => toIso(instant(-LATEST - DAY_MS))).toThrow(RangeError)
})
