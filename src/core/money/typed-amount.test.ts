import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { findCurrency, inputDecimals, storedDecimals } from '#core/money/currencies.ts'
import { type Money, moneyText } from '#core/money/money.ts'
import { readStaffDecimal, readStaffNumber } from '#core/money/staff-number.ts'
import { amountText, type DecimalSign, readAmount, readDecimal } from '#core/money/typed-amount.ts'

/** Reads typed text. Returns the amount as plain text, or the name of the flaw. */
function read(
  typed: string,
  { currency = 'USDT', sign = '.' }: { currency?: string; sign?: DecimalSign } = {},
): string {
  const result = readAmount(typed, currency, sign)
  return result.ok ? moneyText(result.amount) : result.flaw
}

describe('F3: readAmount with typed text', () => {
  it.each<[typed: string, point: string, comma: string]>([
    ['25', '25.00', '25.00'],
    ['12.5', '12.50', '12.50'],
    ['12.', '12.00', '12.00'],
    ['.5', '0.50', '0.50'],
    ['007', '7.00', '7.00'],
    ['0.05', '0.05', '0.05'],
    // A comma groups digits where it can separate thousands.
    ['1,250', '1250.00', 'unclear'],
    ['10,000', '10000.00', 'unclear'],
    ['1,250.5', '1250.50', '1250.50'],
    ['1,234,567', '1234567.00', '1234567.00'],
    ['$ 1,250.50', '1250.50', '1250.50'],
    // Otherwise a comma is the decimal separator of the language, or refused.
    ['0,125', 'unclear', 'decimals'],
    ['12,3456', 'unclear', 'decimals'],
    ['1,2,3', 'unclear', 'unclear'],
    ['12,5', 'unclear', '12.50'],
    ['12,50', 'unclear', '12.50'],
    ['12,', 'unclear', '12.00'],
    [',5', 'unclear', '0.50'],
    ['1234,567', 'unclear', 'decimals'],
    ['1,25,000', 'unclear', 'unclear'],
    ['1,2345', 'unclear', 'decimals'],
    ['01,250', 'unclear', 'decimals'],
    // Grouping separators of other languages.
    ['1.250', 'decimals', 'unclear'],
    ['12.500', 'decimals', 'unclear'],
    ['0.125', 'decimals', 'decimals'],
    ['1.250,50', '1250.50', '1250.50'],
    ['1.234.567', '1234567.00', '1234567.00'],
    ['1.234.567,8', '1234567.80', '1234567.80'],
    ['1 250', '1250.00', '1250.00'],
    ['1\u202F250,50', '1250.50', '1250.50'],
    ["1'250.50", '1250.50', '1250.50'],
    ['1’250’000', '1250000.00', '1250000.00'],
    ['1‘250.5', '1250.50', '1250.50'],
    ['1,250.50 USDT', '1250.50', '1250.50'],
    ['12 50', 'unclear', 'unclear'],
    ['1.2.3', 'unclear', 'unclear'],
    ['1,2.3', 'unclear', 'unclear'],
    ['1.250,50,', 'unclear', 'unclear'],
    ['1,250 000', 'unclear', 'unclear'],
    ['1.250.50', 'unclear', 'unclear'],
    ['..', 'empty', 'empty'],
    [',', 'empty', 'empty'],
    ['', 'empty', 'empty'],
    ['  ', 'empty', 'empty'],
    ['-5', 'invalid', 'invalid'],
    ['−5', 'invalid', 'invalid'],
    ['+5', 'invalid', 'invalid'],
    ['1e3', 'invalid', 'invalid'],
    ['0x10', 'invalid', 'invalid'],
    ['1000000000001', 'large', 'large'],
    ['9'.repeat(40), 'large', 'large'],
    ['9'.repeat(41), 'invalid', 'invalid'],
  ])('F3: reads %j as %s, and as %s in a language with a decimal comma', (typed, point, comma) => {
    expect({ point: read(typed), comma: read(typed, { sign: ',' }) }).toEqual({ point, comma })
  })

  it('F3: readAmount reads an amount in the same way in every currency', () => {
    expect(read('1,250', { currency: 'BTC', sign: ',' })).toBe('unclear')
    expect(read('1,250', { currency: 'BTC' })).toBe('1250.00')
    expect(read('0,01', { currency: 'BTC', sign: ',' })).toBe('0.01')
  })

  it.each([
    ['٢٥', '25.00'],
    ['٢٥٫٥', '25.50'],
    ['١٬٢٥٠٫٥٠', '1250.50'],
    ['۲۵', '25.00'],
    ['２５．５', '25.50'],
    ['１，２５０', '1250.00'],
    ['￥２５', '25.00'],
    ['٠٫١٢٥', 'decimals'],
  ])('F4: readAmount reads %s as %s', (typed, amount) => expect(read(typed)).toBe(amount))

  it('F4: readAmount reads an Arabic comma as the decimal separator of Arabic', () => {
    expect(read('١٢،٥', { sign: ',' })).toBe('12.50')
    expect(read('١٢،٥')).toBe('unclear')
  })

  it.each<[typed: string, two: string | null, three: string | null]>([
    ['0,5', '0.5', '0.5'],
    ['67284,5', '67284.5', '67284.5'],
    ['67,284.10', '67284.10', '67284.10'],
    ['67.284', '67284', '67.284'],
    ['149,123', '149123', '149.123'],
    ['1.234.567', '1234567', '1234567'],
    ['1,25,000', null, null],
    ['', null, null],
    ['1e3', null, null],
  ])('F3: readDecimal reads %j with two decimals as %s and with three as %s', (typed, two, three) => {
    expect([readDecimal(typed, 2, ','), readDecimal(typed, 3, ',')]).toEqual([two, three])
  })

  it.each([
    ['1x', null],
    ['-', null],
    ['$5', '5'],
    ['US$ 25', '25'],
    ['25 USD', '25 '],
    ['usdt 25', '25'],
    ['25 EUR', null],
    ['1‘000', '1‘000'],
    ['٢٥', '25'],
    ['1,250.', '1,250.'],
    ['\u200E5', '5'],
  ])('F4: amountText turns %j into %j', (typed, expected) => expect(amountText(typed)).toBe(expected))

  it('F3: readAmount reads a displayed amount back in every language', () => {
    const cents = fc.bigInt({ min: 0n, max: 100_000_000_000_000n })
    fc.assert(
      fc.property(cents, fc.constantFrom('.' as const, ',' as const), (units, sign) => {
        const plain = moneyText(units as Money)
        const shown = plain.replace(/\B(?=(?:\d{3})+\.)/g, ',')
        expect([read(plain, { sign }), read(shown, { sign })]).toEqual([plain, plain])
      }),
      { numRuns: 500 },
    )
  })

  it('F3: readAmount reads an amount only as its digits without separators, or with the last separator as decimal point', () => {
    const texts = fc.stringMatching(/^[\d.,' ]{1,12}$/)
    fc.assert(
      fc.property(texts, fc.constantFrom('.' as const, ',' as const), (text, sign) => {
        const result = readAmount(text, 'USD', sign)
        if (!result.ok) return
        const last = Math.max(text.lastIndexOf('.'), text.lastIndexOf(','))
        const asDecimal = Number(`${text.slice(0, last).replace(/\D/g, '')}.${text.slice(last + 1).replace(/\D/g, '')}`)
        const readings = [Number(text.replace(/\D/g, '')), ...(last === -1 ? [] : [asDecimal])]
        expect(readings).toContain(Number(moneyText(result.amount)))
      }),
      { numRuns: 2_000 },
    )
  })
})

describe('F9: decimals of currencies', () => {
  it.each([
    ['JPY', 0],
    ['KRW', 0],
    ['VND', 0],
    ['CLP', 0],
    ['KWD', 3],
    ['BHD', 3],
    ['JOD', 3],
    ['OMR', 3],
    ['TND', 3],
    ['IQD', 3],
    ['IDR', 2],
    ['HUF', 2],
    ['EUR', 2],
    ['BTC', 8],
    ['LTC', 8],
    ['ETH', 18],
    ['TRX', 6],
    ['USDT', 6],
    ['USDC', 6],
  ])('F9: %s has %i decimals', (code, decimals) => {
    expect(findCurrency(code)).toEqual({ decimals, inputDecimals: Math.min(decimals, 8) })
  })

  it('F9: an unknown currency has two decimals', () => {
    expect([findCurrency('POINTS'), inputDecimals('POINTS'), storedDecimals('POINTS')]).toEqual([null, 2, 2])
  })

  it.each([
    ['0.015', 'BTC', { ok: false, flaw: 'decimals', decimals: 2, lower: '0.01', upper: '0.02' }],
    ['0.0123', 'BTC', { ok: false, flaw: 'decimals', decimals: 2, lower: '0.01', upper: '0.02' }],
    ['0.00000001', 'BTC', { ok: false, flaw: 'decimals', decimals: 2, lower: '0.00', upper: '0.01' }],
    ['0.01', 'BTC', { ok: true, amount: 1n }],
    ['0.5', 'JPY', { ok: false, flaw: 'decimals', decimals: 0, lower: '0', upper: '1' }],
    ['1250', 'JPY', { ok: true, amount: 125_000n }],
    ['1250.00', 'JPY', { ok: true, amount: 125_000n }],
    ['1.000', 'JPY', { ok: false, flaw: 'decimals', decimals: 0, lower: '1', upper: '1' }],
    ['0.010000', 'BTC', { ok: true, amount: 1n }],
    ['0.125', 'KWD', { ok: false, flaw: 'decimals', decimals: 2, lower: '0.12', upper: '0.13' }],
    ['1,000,000', 'VND', { ok: true, amount: 100_000_000n }],
    ['1.250', 'USD', { ok: false, flaw: 'decimals', decimals: 2, lower: '1.25', upper: '1.25' }],
  ])('F9: an amount of %s is read in %s', (typed, currency, expected) =>
    expect(readAmount(typed, currency, '.')).toEqual(expected),
  )
})

describe('F67: numbers that staff type follow the rule for amounts', () => {
  it.each<[typed: string, number: number | null]>([
    ['24', 24],
    ['1,500.00', 1500],
    ['1 500', 1500],
    ['1.500,25', 1500.25],
    [' 1,500\u00A0', 1500],
    ['\u0661\u066C\u0665\u0660\u0660\u066B\u0665', 1500.5],
    ['２４', 24],
    ['007', 7],
    ['1.0825', 1.0825],
    ['-5', -5],
    ['1e3', null],
    ['1E+3', null],
    ['abc', null],
    ['', null],
    ['-', null],
    ['--5', null],
    ['1,2,3', null],
    ['12,5', null],
  ])('F67: reads %j as %j', (typed, number) => expect(readStaffNumber(typed)).toBe(number))

  it('F67: readStaffDecimal refuses more decimals than a field has', () => {
    expect(readStaffDecimal('1,234.50', 2)).toBe(123_450n)
    expect(readStaffDecimal('1.555', 2)).toBeNull()
    expect(readStaffDecimal('-1', 2)).toBeNull()
  })
})
