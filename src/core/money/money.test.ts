import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { decimalNumber, formatDecimal, mulDivHalfEven, parseDecimal } from '#core/money/decimal.ts'
import {
  basisPoints,
  MAX_MONEY,
  money,
  moneyNumber,
  moneyText,
  parseMoney,
  percentNumber,
  shareHalfEven,
} from '#core/money/money.ts'
import { parsePrice, price, priceText } from '#core/money/price.ts'

describe('parseMoney', () => {
  it.each([
    ['100', 10_000n],
    ['0.05', 5n],
    ['20.50', 2_050n],
    ['20.500', 2_050n],
    ['0', 0n],
  ])('parseMoney parses %s to %s minor units', (text, expected) => {
    expect(parseMoney(text)).toBe(expected)
  })

  it.each(['', ' 1', '1 ', '+1', '-1', '1e3', '1.', '.5', '01', '1.001', '1,000', 'NaN', 'Infinity', '0x10', '١٢'])(
    '%j is not an amount',
    (text) => {
      expect(parseMoney(text)).toBeNull()
    },
  )

  it('parseMoney refuses amounts above the maximum', () => {
    expect(parseMoney('1000000000000.00')).toBe(MAX_MONEY)
    expect(parseMoney('1000000000000.01')).toBeNull()
  })
})

describe('decimals', () => {
  const anyValue = fc.bigInt({ min: 0n, max: 10n ** 18n - 1n })
  const anyDecimals = fc.integer({ min: 0, max: 8 })

  it.each([
    [0n, 2, '0.00'],
    [-5n, 2, '-0.05'],
    [-12_345n, 2, '-123.45'],
    [12_345n, 0, '12345'],
    [-7n, 0, '-7'],
  ])('formatDecimal formats %s with %s decimals as %s', (value, decimals, text) => {
    expect(formatDecimal(value, decimals)).toBe(text)
  })

  it('decimalNumber gives the number to which the decimal text parses', () => {
    fc.assert(
      fc.property(
        fc.bigInt({ min: -(10n ** 18n), max: 10n ** 18n }),
        fc.integer({ min: 0, max: 14 }),
        (value, count) => {
          expect(decimalNumber(value, count)).toBe(Number(formatDecimal(value, count)))
        },
      ),
    )
    expect(decimalNumber(110, 2)).toBe(1.1)
  })

  it('parseDecimal reads zeros before and after the last digit', () => {
    expect(parseDecimal('1.0500', 2)).toBe(105n)
    expect(parseDecimal('100.10', 2)).toBe(10_010n)
    expect(parseDecimal('7', 0)).toBe(7n)
  })

  it('a negative number of decimals and a denominator of zero are refused', () => {
    expect(() => formatDecimal(1n, -1)).toThrow('decimals cannot be negative')
    expect(() => mulDivHalfEven(1n, 1n, 0n)).toThrow('the denominator must be positive')
    expect(() => mulDivHalfEven(1n, 1n, -1n)).toThrow('the denominator must be positive')
  })

  it('a formatted decimal is parsed back to the same value', () => {
    fc.assert(
      fc.property(anyValue, anyDecimals, (value, decimals) => {
        expect(parseDecimal(formatDecimal(value, decimals), decimals)).toBe(value)
      }),
    )
  })

  it('amounts up to the largest are exact as JSON numbers', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: MAX_MONEY }), (value) => {
        const amount = parseMoney(formatDecimal(value, 2))
        expect(amount === null ? null : parseMoney(String(moneyNumber(amount)))).toBe(value)
      }),
    )
  })

  it('mulDivHalfEven is at most half a unit off and rounds ties to even', () => {
    fc.assert(
      fc.property(
        fc.bigInt({ min: -(10n ** 15n), max: 10n ** 15n }),
        fc.bigInt({ min: 0n, max: 10n ** 6n }),
        fc.bigInt({ min: 1n, max: 10n ** 6n }),
        (value, numerator, denominator) => {
          const quotient = mulDivHalfEven(value, numerator, denominator)
          const twiceError = 2n * (quotient * denominator - value * numerator)
          const magnitude = twiceError < 0n ? -twiceError : twiceError
          expect(magnitude <= denominator).toBe(true)
          if (magnitude === denominator) expect(quotient % 2n).toBe(0n)
        },
      ),
    )
  })
})

describe('shares', () => {
  it('basisPoints accepts only whole hundredths of a percent', () => {
    expect(percentNumber(basisPoints(8_525))).toBe(85.25)
    expect(shareHalfEven(money(10_001), basisPoints(5_000))).toBe(5_000n)
    expect(shareHalfEven(money(-10_003), basisPoints(5_000))).toBe(-5_002n)
    expect(() => basisPoints(1.5)).toThrow('not basis points: 1.5')
  })
})

describe('prices', () => {
  it.each([
    [6_728_410, 2, '67284.1000'],
    [1, 8, '0.00000001'],
    [157, 0, '157.0000'],
    [138_882, 5, '1.38882'],
  ])('priceText formats %s with %s decimals as %s', (units, decimals, text) => {
    expect(priceText(price(units), decimals)).toBe(text)
  })

  it('parsePrice refuses a price that is zero or becomes zero', () => {
    expect(parsePrice('0', 2)).toBeNull()
    expect(parsePrice('0.001', 2)).toBeNull()
    expect(moneyText(parseMoney('7') ?? MAX_MONEY)).toBe('7.00')
  })
})
