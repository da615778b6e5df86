import { describe, expect, it } from 'vitest'
import { dialCodeOf, readMobile, readMobileCode } from '#core/accounts/mobile.ts'

/** Reads a number with a chosen country and returns code and number. */
function read(typed: string, country = '', more: { dialCode?: string; ownDialCode?: string } = {}): string | null {
  const mobile = readMobile(typed, { country, dialCode: '', ...more })
  return mobile && `${mobile.code} ${mobile.number}`
}

describe('F1: a phone number', () => {
  it.each<[typed: string, country: string, read: string | null]>([
    // Punctuation is ignored.
    ['415-555-2671', 'US', '+1 4155552671'],
    ['(415) 555-2671', 'US', '+1 4155552671'],
    ['415.555.2671', 'US', '+1 4155552671'],
    ['415‑555–2671', 'US', '+1 4155552671'],
    ['（415）555−2671', 'US', '+1 4155552671'],
    ['(11) 91234-5678', 'BR', '+55 11912345678'],
    ['11 91234/5678', 'BR', '+55 11912345678'],
    ['\u202D415 555 2671\u202C', 'US', '+1 4155552671'],
    // The typed dialling code is not added to the number a second time.
    ['+14155552671', 'US', '+1 4155552671'],
    ['+1 415-555-2671', 'US', '+1 4155552671'],
    ['1-415-555-2671', 'US', '+1 4155552671'],
    ['14155552671', 'US', '+1 4155552671'],
    ['0014155552671', 'US', '+1 4155552671'],
    ['(+44) 7911 123456', 'GB', '+44 7911123456'],
    ['＋44 7911 123456', 'GB', '+44 7911123456'],
    ['447911123456', 'GB', '+44 7911123456'],
    ['00447911123456', 'GB', '+44 7911123456'],
    ['tel:+447911123456', 'GB', '+44 7911123456'],
    ['+62-81234567', 'ID', '+62 81234567'],
    ['62-81234567', 'ID', '+62 81234567'],
    ['49 151 23456789', 'DE', '+49 15123456789'],
    ['+4949151 23456789', 'DE', '+49 15123456789'],
    ['+49 0049 151 23456789', 'DE', '+49 15123456789'],
    ['+6262 81234567890', 'ID', '+62 81234567890'],
    ['+86 86 13812345678', 'CN', '+86 13812345678'],
    // A national number that begins with the same digits as its dialling code.
    ['+49 4915 12345678', 'DE', '+49 491512345678'],
    ['9123456789', 'IN', '+91 9123456789'],
    ['55 99999 9999', 'BR', '+55 55999999999'],
    ['0842 123 456', 'VN', '+84 842123456'],
    ['392 123 4567', 'IT', '+39 3921234567'],
    // Numbers in the form of former numbering plans of their country.
    ['+52 1 55 1234 5678', 'MX', '+52 5512345678'],
    ['044 55 1234 5678', 'MX', '+52 5512345678'],
    ['8 067 123 4567', 'UA', '+380 671234567'],
    // Numbers of another country: the typed dialling code takes precedence.
    ['+447911123456', 'US', '+44 7911123456'],
    ['0044 7911 123456', 'DE', '+44 7911123456'],
    // Numbers without a chosen country.
    ['+4915112345678', '', '+49 15112345678'],
    ['004915112345678', '', '+49 15112345678'],
    ['5551234567', '', ' 5551234567'],
    ['555-123-4567', '', ' 5551234567'],
    // Numbers that exist in no numbering plan.
    ['415-555-267', 'US', null],
    ['5552671', 'US', null],
    ['415-555-26711', 'US', null],
    ['1-800-FLOWERS', 'US', null],
    ['415-555-2671 ext. 12', 'US', null],
    ['415+5552671', 'US', null],
    ['+999 123456', 'US', null],
    ['62-', 'ID', null],
    ['', 'US', null],
    ['-', '', null],
    ['1234', '', null],
    ['1'.repeat(16), '', null],
    ['12345x', '', null],
    ['0000000000', 'DE', null],
  ])('F1: reads %j with country %s as %s', (typed, country, expected) => expect(read(typed, country)).toBe(expected))

  it('VA11, F1: readMobile takes the part after a hyphen as the number only after the account’s own dialling code', () => {
    expect(read('62-81234567', 'ID', { ownDialCode: '+62' })).toBe('+62 81234567')
    expect(read('+62-812 3456 789', 'ID', { ownDialCode: '+62' })).toBe('+62 8123456789')
    expect(read('62-81234567', 'GB', { ownDialCode: '+62' })).toBe('+62 81234567')
    expect(read('415-555-2671', 'US', { ownDialCode: '+1' })).toBe('+1 4155552671')
    expect(read('1-5551234567', 'US', { ownDialCode: '+1' })).toBe('+1 5551234567')
  })

  it('F1: readMobile reads the number by a separate dialling code, even if it is not the country’s', () => {
    expect(read('7911 123456', 'DE', { dialCode: '+44' })).toBe('+44 7911123456')
    expect(read('07911 123456', '', { dialCode: '+44' })).toBe('+44 7911123456')
  })

  it.each([
    ['+49', '+49'],
    ['1', '+1'],
    ['٤٩', '+49'],
    ['', ''],
    ['0049', '+49'],
    ['+999', null],
    ['+3', null],
    ['9999', null],
    ['12345', null],
    ['x', null],
  ])('F1: readMobileCode reads the dialling code %j as %j', (text, code) => expect(readMobileCode(text)).toBe(code))

  it('F1: readMobile accepts no dialling code that no country has', () => {
    expect(read('7911 123456', 'DE', { dialCode: '+999' })).toBeNull()
    expect(read('999-7911123456', '', { ownDialCode: '+999' })).toBe(' 9997911123456')
  })

  it('F1: dialCodeOf returns the dialling code of a country', () => {
    expect([dialCodeOf('DE'), dialCodeOf('US'), dialCodeOf(''), dialCodeOf('XX')]).toEqual(['+49', '+1', '', ''])
  })
})

describe('F2: a leading zero by the numbering plan of the country', () => {
  it.each([
    ['07911 123456', 'GB', '+44 7911123456'],
    ['+44 (0)7911 123456', 'GB', '+44 7911123456'],
    ['0812-3456-789', 'ID', '+62 8123456789'],
    ['081 234 5678', 'TH', '+66 812345678'],
    ['0912 345 678', 'VN', '+84 912345678'],
    ['0532 123 45 67', 'TR', '+90 5321234567'],
    ['0151 12345678', 'DE', '+49 15112345678'],
    ['090-1234-5678', 'JP', '+81 9012345678'],
    ['010-1234-5678', 'KR', '+82 1012345678'],
    ['0912-345-678', 'TW', '+886 912345678'],
    ['06 12 34 56 78', 'FR', '+33 612345678'],
    ['0770 123 4567', 'IQ', '+964 7701234567'],
    ['050 123 4567', 'SA', '+966 501234567'],
    ['8 912 345-67-89', 'RU', '+7 9123456789'],
    ['012-345 6789', 'MY', '+60 123456789'],
    // Italian landline numbers begin with a zero.
    ['06 1234 5678', 'IT', '+39 0612345678'],
    ['+39 06 1234 5678', 'IT', '+39 0612345678'],
    ['347 123 4567', 'IT', '+39 3471234567'],
  ])('F2: %s in %s becomes %s', (typed, country, expected) => expect(read(typed, country)).toBe(expected))
})

describe('F4: digits of a phone number', () => {
  it.each([
    ['٠٧٧٠ ١٢٣ ٤٥٦٧', 'IQ', '+964 7701234567'],
    ['۰۷۷۰ ۱۲۳ ۴۵۶۷', 'IQ', '+964 7701234567'],
    ['０９０−１２３４−５６７８', 'JP', '+81 9012345678'],
    ['０９０ー１２３４ｰ５６７８', 'JP', '+81 9012345678'],
    ['+٩٦٤٧٧٠١٢٣٤٥٦٧', '', '+964 7701234567'],
  ])('F4: %s in %s becomes %s', (typed, country, expected) => expect(read(typed, country)).toBe(expected))
})
