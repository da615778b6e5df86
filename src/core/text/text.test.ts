import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { asciiDigits, readDigits } from '#core/text/digits.ts'
import { normaliseLine, normaliseText } from '#core/text/normalise-text.ts'

describe('F4: asciiDigits', () => {
  it.each([
    ['٢٥', '25'],
    ['۲۵', '25'],
    ['２５', '25'],
    ['०१२३४५६७८९', '0123456789'],
    ['๑๒๓', '123'],
    // Mathematical digits: five adjacent scripts without a gap.
    ['\u{1D7CE}\u{1D7D8}\u{1D7FF}', '009'],
    ['12.5 abc', '12.5 abc'],
    ['½ ² ④ Ⅷ', '½ ² ④ Ⅷ'],
  ])('F4: asciiDigits turns %s into %s', (text, digits) => expect(asciiDigits(text)).toBe(digits))

  it('F4: asciiDigits converts every Unicode digit to its value', () => {
    const digits = Array.from({ length: 0x11_0000 }, (_, code) => code)
      .filter((code) => (code < 0xd800 || code > 0xdfff) && /\p{Nd}/u.test(String.fromCodePoint(code)))
      .map((code) => String.fromCodePoint(code))
    expect(digits.length).toBeGreaterThan(600)
    const read = digits.map(asciiDigits).join('')
    expect(read).toBe('0123456789'.repeat(digits.length / 10))
  })

  it.each([
    ['١٢٣٤٥٦', '123456'],
    ['000000', '000000'],
    ['12345', null],
    ['1234567', null],
    ['12 456', null],
    ['12345x', null],
  ])('F4: reads %j as the six-digit code %j', (text, code) => expect(readDigits(text, 6)).toBe(code))
})

describe('F7: normaliseText', () => {
  it.each([
    ['\u200B', ''],
    ['\u3164', ''],
    ['\u2800', ''],
    ['\u{13430}\u{16FE4}', ''],
    ['\u115F\u1160\uFFA0\u00AD\u034F\u180E\u{E0001}', ''],
    ['\u00A0\u3000 ', ''],
    ['TQn9\u200BY2\u202EkhEs\uFEFF', 'TQn9Y2khEs'],
    ['pay\u2066pal\u2069', 'paypal'],
    ['a\u200C\u200Db', 'ab'],
    ['Cafe\u0301', 'Caf\u00E9'],
    ['a\u001B[31mb\u0007', 'a[31mb'],
    ['half \uD83D', 'half'],
    ['private \uE000\u{F0000}', 'private'],
    [' Ada \u00A0', 'Ada'],
    ['one\r\ntwo\rthree\u2028four', 'one\ntwo\nthree\nfour'],
    ['\u200E\u0639\u200F', '\u0639'],
    // Joiners that a script or an emoji needs stay.
    ['ژمارە\u200Cی', 'ژمارە\u200Cی'],
    ['ژمارە\u200C\u200C\u200Cی', 'ژمارە\u200Cی'],
    ['ژمارە\u200C', 'ژمارە'],
    ['क्\u200Dष', 'क्\u200Dष'],
    ['👨\u200D👩\u200D👧', '👨\u200D👩\u200D👧'],
    ['❤\uFE0F\u200D🔥', '❤\uFE0F\u200D🔥'],
    ['👋🏽', '👋🏽'],
    ['1\uFE0F\u20E3', '1\uFE0F\u20E3'],
    ['1\uFE0F', '1'],
    [
      '🏴\u{E0067}\u{E0062}\u{E0065}\u{E006E}\u{E0067}\u{E007F}',
      '🏴\u{E0067}\u{E0062}\u{E0065}\u{E006E}\u{E0067}\u{E007F}',
    ],
    ['葛\u{E0100}城', '葛\u{E0100}城'],
    ['A\uFE00', 'A'],
    ['a\0b', 'a\0b'],
  ])('F7: normalises %j to %j', (text, expected) => expect(normaliseText(text)).toBe(expected))

  it('F7: normaliseText does not change normalised text', () => {
    const odd = fc.constantFrom(...Array.from('\u200B\u200C\u200D\uFE0F\u2800 \r\n\t\u0301\u034Fae‍❤🔥کی葛'))
    const texts = fc.array(fc.oneof(odd, fc.string({ unit: 'binary', maxLength: 3 })), { maxLength: 20 })
    fc.assert(
      fc.property(texts, (parts) => {
        const once = normaliseText(parts.join(''))
        expect(normaliseText(once)).toBe(once)
        expect(normaliseLine(normaliseLine(once))).toBe(normaliseLine(once))
      }),
      { numRuns: 2_000 },
    )
  })

  it('F7: normaliseLine turns white space into one space', () => expect(normaliseLine(' a \n\t b\u200B ')).toBe('a b'))
})

it('F7: normaliseText removes 60,000 joiners in linear time', () =>
  expect(normaliseText(`ا${'\u200C'.repeat(60_000)}x`)).toBe('اx'))
