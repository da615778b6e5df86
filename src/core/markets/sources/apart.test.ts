import { expect, it } from 'vitest'
import { isAsNear, isFurtherApart } from '#core/markets/sources/apart.ts'
import { price } from '#core/money/price.ts'

it.each([
  [10_000, 10_100, 100, false],
  [10_000, 10_101, 100, true],
  [10_101, 10_000, 100, true],
  [10_000, 9_901, 100, false],
  [10_000, 9_900, 100, true],
  [9_007_199_254_740_991, 9_007_199_254_740_990, 1, false],
  [1, 2, 5_000, true],
  [7, 7, 1, false],
])('%s and %s are further apart than %s basis points: %s', (a, b, limit, expected) => {
  expect(isFurtherApart(price(a), price(b), limit)).toBe(expected)
})

it('takes a price in the middle for as near', () => {
  expect(isAsNear(price(15), price(20), price(10))).toBe(true)
  expect(isAsNear(price(14), price(20), price(10))).toBe(false)
})
