import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { money, moneyText } from '#core/money/money.ts'
import { instant } from '#core/time/instant.ts'
import {
  formatChange,
  formatCount,
  formatCountdown,
  formatMoney,
  formatRate,
  formatShortMoney,
  formatUtcDateTime,
  formatUtcTime,
  formatUtcTimeMs,
  formatVolume,
  MINUS,
  numberParts,
} from '#ui/format.ts'

describe('the format of money', () => {
  it('money shows a sign, a currency, groups and cents', () => {
    expect(formatMoney(money(248_050))).toBe('$2,480.50')
    expect(formatMoney(money(-10_000))).toBe('\u2212$100.00')
    expect(formatMoney(money(8_500), { plus: true })).toBe('+$85.00')
    expect(formatMoney(money(0), { plus: true })).toBe('$0.00')
    expect(formatMoney(money(1_250), { symbol: '€' })).toBe('€12.50')
  })

  it('only the short form of money drops the cents of round amounts', () => {
    expect(formatShortMoney(money(10_000))).toBe('$100')
    expect(formatShortMoney(money(10_050))).toBe('$100.50')
  })

  it('the format keeps all digits of amounts of any size', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: -(10n ** 17n), max: 10n ** 17n }), (cents) => {
        const shown = formatMoney(money(cents)).replace('$', '').replaceAll(',', '').replace(MINUS, '-')
        expect(shown).toBe(moneyText(money(cents)))
      }),
    )
  })
})

describe('the format of numbers', () => {
  it('numberParts splits a price at its decimal point', () => {
    expect(numberParts('67284.1000')).toEqual({ sign: '', whole: '67,284', fraction: '.1000' })
    expect(numberParts('0.00001234')).toEqual({ sign: '', whole: '0', fraction: '.00001234' })
    expect(numberParts('151')).toEqual({ sign: '', whole: '151', fraction: '' })
  })

  it('numberParts throws on text that is not a plain decimal', () => {
    expect(() => numberParts('1e5')).toThrow('not a plain decimal')
    expect(() => numberParts('')).toThrow('not a plain decimal')
  })

  it('formatChange writes changes with a sign and three decimals, and zero without a sign', () => {
    expect(formatChange(2.418)).toBe('+2.418%')
    expect(formatChange(-0.8641)).toBe('\u22120.864%')
    expect(formatChange(0)).toBe('0.000%')
    expect(formatChange(-0.0001)).toBe('0.000%')
  })

  it('formatRate, formatVolume and formatCount write rates, volumes and counts', () => {
    expect(formatRate(54.054)).toBe('54.1%')
    expect(formatVolume(28417.392)).toBe('28,417.392')
    expect(formatCount(1250)).toBe('1,250')
  })
})

describe('the format of time', () => {
  it('formatCountdown counts down by rounded-up seconds and stops at zero', () => {
    expect(formatCountdown(167_000)).toBe('2:47')
    expect(formatCountdown(166_001)).toBe('2:47')
    expect(formatCountdown(1)).toBe('0:01')
    expect(formatCountdown(0)).toBe('0:00')
    expect(formatCountdown(-5_000)).toBe('0:00')
    expect(formatCountdown(21_900_000)).toBe('6:05:00')
  })

  it('the format of time shows instants in UTC', () => {
    const at = instant(Date.UTC(2026, 0, 31, 14, 32, 13, 482))
    expect(formatUtcTime(at)).toBe('14:32:13')
    expect(formatUtcTimeMs(at)).toBe('14:32:13.482')
    expect(formatUtcDateTime(at)).toBe('2026-01-31 14:32:13')
  })
})
