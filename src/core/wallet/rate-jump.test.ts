import fc from 'fast-check'
import { expect, it } from 'vitest'
import { isWithinJump } from '#core/wallet/rate-jump.ts'

it.each([
  [1_050_000n, 1_000_000n, 5, true],
  [1_050_001n, 1_000_000n, 5, false],
  [950_000n, 1_000_000n, 5, true],
  [949_999n, 1_000_000n, 5, false],
  [1_000_000n, 1_000_000n, 0, true],
  [1_000_001n, 1_000_000n, 0, false],
])('isWithinJump compares the rate %d with %d at %d percent', (rate, of, percent, expected) => {
  expect(isWithinJump(rate, of, percent)).toBe(expected)
})

it('isWithinJump allows every rate that is closer to the old rate than an allowed rate', () => {
  const rates = fc.bigInt({ min: 1n, max: 10n ** 12n })
  fc.assert(
    fc.property(rates, fc.bigInt({ min: 0n, max: 10n ** 11n }), fc.nat(50), (of, step, percent) => {
      return !isWithinJump(of + step, of, percent) || isWithinJump(of + step / 2n, of, percent)
    }),
  )
  expect(isWithinJump(101n, 100n, 1)).toBe(true)
})
