import { expect, it } from 'vitest'
import { isAsNear, isFartherThan } from '#core/markets/sources/price-distance.ts'
import { price } from '#core/money/price.ts'

it.each([
  [10_000, 10_100, 100, 0, false],
  [10_000, 10_101, 100, 0, true],
  [10_101, 10_000, 100, 0, true],
  [10_000, 9_901, 100, 0, false],
  [10_000, 9_900, 100, 0, true],
  [9_007_199_254_740_991, 9_007_199_254_740_990, 1, 0, false],
  [1, 2, 5_000, 0, true],
  [7, 7, 1, 0, false],
  [73, 74, 100, 0, true],
  [73, 74, 100, 1, false],
  [73, 76, 100, 3, false],
  [73, 77, 100, 3, true],
  [10_000, 10_101, 100, 3, true],
  [1, 4, 5_000, 3, false],
])(
  'P4: decides whether %s and %s are further apart than %s basis points and %s tick sizes: %s',
  (a, b, bp, ticks, expected) => {
    expect(isFartherThan(price(a), price(b), { bp, ticks })).toBe(expected)
  },
)

it('isAsNear is true for a price in the middle of both', () => {
  expect(isAsNear(price(15), price(20), price(10))).toBe(true)
  expect(isAsNear(price(14), price(20), price(10))).toBe(false)
})
