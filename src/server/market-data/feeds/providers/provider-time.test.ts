import fc from 'fast-check'
import { expect, it } from 'vitest'
import { readFractionalTime, readTime } from '#server/market-data/feeds/providers/provider-time.ts'

const TIME = 1_723_161_255_342

it.each([
  ['milliseconds', TIME, TIME],
  ['seconds', 1_723_161_255, 1_723_161_255_000],
  ['microseconds', 1_723_161_255_342_999, TIME],
  ['nanoseconds, of which a number would lose digits', '1723161255342123456', TIME],
  ['seconds of before 2001', 915_148_800, 915_148_800_000],
])('P22: recognises %s by their size, as number and as digits', (_, stamp, time) => {
  expect(readTime(stamp)).toBe(time)
  expect(readTime(String(stamp))).toBe(time)
})

it('P22: reads the same time in any unit', () => {
  const seconds = fc.integer({ min: 100_000_000, max: 9_999_999_999 })
  fc.assert(
    fc.property(seconds, (at) => {
      for (const zeros of ['', '000', '000000', '000000000']) expect(readTime(`${at}${zeros}`)).toBe(at * 1_000)
    }),
    { numRuns: 200 },
  )
})

it.each([
  0,
  -TIME,
  1,
  12_345_678,
  17_231_612_553,
  17_231_612_553_420,
  '17231612553421234',
  '17231612553421234567',
  1.5,
  TIME + 0.5,
  1e21,
  Number.NaN,
  Infinity,
  Number.MAX_SAFE_INTEGER * 8,
  '',
  ' 1723161255342',
  '1723161255342 ',
  '+1723161255342',
  '-1723161255342',
  '01723161255342',
  '1.723161255342e12',
  '1723161255.342',
  '1723161255342.0',
  '0x19134f5a1ee',
  '١٧٢٣١٦١٢٥٥٣٤٢',
  null,
  undefined,
  true,
  [TIME],
  { TIME },
])('P22: rejects the time %j', (value) => {
  expect(readTime(value)).toBeNull()
})

it.each([
  ['1723161255.342', TIME],
  ['1723161255.3429', TIME],
  ['1723161255.3', 1_723_161_255_300],
  [1_723_161_255.5, 1_723_161_255_500],
  [TIME, TIME],
  ['1723161255342.5', null],
  ['172316125534.5', null],
  [' 1723161255.342', null],
])('P22: reads %j with a fraction as %s: only seconds may have one', (value, time) => {
  expect(readFractionalTime(value)).toBe(time)
})
