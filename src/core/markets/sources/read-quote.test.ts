import fc from 'fast-check'
import { expect, it } from 'vitest'
import { readQuotePrice, readQuoteVolume } from '#core/markets/sources/read-quote.ts'
import { formatDecimal, mulDivHalfEven } from '#core/money/decimal.ts'

it.each([
  ['61837.63000000', 2, 6_183_763],
  ['61837.635', 2, 6_183_764],
  ['61837.625', 2, 6_183_762],
  ['61837.6250000001', 2, 6_183_763],
  ['61837.6249999999', 2, 6_183_762],
  ['0.995', 2, 100],
  ['2.5', 0, 2],
  ['3.5', 0, 4],
  ['7', 5, 700_000],
  ['0.005', 2, null],
  ['0.0050001', 2, 1],
  ['90071992547409.91', 2, Number.MAX_SAFE_INTEGER],
  ['90071992547409.92', 2, null],
  ['0', 2, null],
  ['0.00', 2, null],
  ['-1', 2, null],
  ['+1', 2, null],
  ['01', 2, null],
  ['.5', 2, null],
  ['5.', 2, null],
  ['1e3', 2, null],
  ['1,5', 2, null],
  [' 1', 2, null],
  ['1\n', 2, null],
  ['', 2, null],
  ['NaN', 2, null],
  ['Infinity', 2, null],
  ['9'.repeat(61), 2, null],
])('readQuotePrice reads a price of %s with %s decimals', (text, decimals, units) => {
  expect(readQuotePrice(text, decimals)).toBe(units)
})

it('readQuotePrice reads any plain decimal exactly', () => {
  fc.assert(
    fc.property(
      fc.bigInt({ min: 1n, max: 10n ** 20n }),
      fc.integer({ min: 0, max: 12 }),
      fc.integer({ min: 0, max: 10 }),
      (value, digits, decimals) => {
        const exact = mulDivHalfEven(value, 10n ** BigInt(decimals), 10n ** BigInt(digits))
        const isPrice = exact > 0n && exact <= BigInt(Number.MAX_SAFE_INTEGER)
        expect(readQuotePrice(formatDecimal(value, digits), decimals)).toBe(isPrice ? Number(exact) : null)
      },
    ),
  )
})

it('readQuotePrice never throws, and returns only valid prices', () => {
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.double().map(String)), (text) => {
      const units = readQuotePrice(text, 2)
      expect(units === null || (Number.isSafeInteger(units) && units > 0)).toBe(true)
    }),
  )
})

it.each([
  ['0', 0],
  ['0.03', 30_000],
  ['0.00000050', 0],
  ['0.00000150', 2],
  ['99999999999', Number.MAX_SAFE_INTEGER],
  ['-1', null],
  ['many', null],
])('readQuoteVolume reads a volume of %s', (text, millionths) => {
  expect(readQuoteVolume(text)).toBe(millionths)
})
