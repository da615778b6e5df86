import { describe, expect, it } from 'vitest'
import { fillText, findText } from '#messages/find-text.ts'
import { LANGUAGES } from '#messages/languages.ts'

const TEXTS = {
  a: {
    open: 'Open',
    orders_one: 'one',
    orders_few: 'few',
    orders_other: 'other',
    loose: 'without',
    loose_other: '{count}',
  },
}

describe('finding a text', () => {
  it.each([
    ['a.open', {}, 'en', 'Open'],
    ['a.open', { count: 3 }, 'en', 'Open'],
    ['a.close', {}, 'en', undefined],
    ['b.open', {}, 'en', undefined],
    ['a.orders', { count: 1 }, 'en', 'one'],
    ['a.orders', { count: 3 }, 'en', 'other'],
    ['a.orders', { count: 3 }, 'ar', 'few'],
    ['a.orders', { count: 11 }, 'ar', 'other'],
    ['a.orders', { count: 1 }, 'ja', 'other'],
    ['a.orders', {}, 'en', undefined],
    ['a.loose', {}, 'en', 'without'],
    ['a.loose', { count: 1 }, 'en', '{count}'],
  ] as const)('%s with %j in %s is %s', (key, params, code, text) => {
    expect(findText(TEXTS, key, params, LANGUAGES[code])).toBe(text)
  })
})

describe('filling a text', () => {
  it('fillText writes counts below 1,000 as the format of each language does', () => {
    for (const { code, tag } of Object.values(LANGUAGES)) {
      const format = new Intl.NumberFormat([tag, 'en'], { numberingSystem: 'latn' })
      for (let count = 0; count < 1_000; count += 1)
        expect(fillText('{count}', { count }, { ...LANGUAGES[code], dir: 'ltr' })).toBe(format.format(count))
    }
  })

  it.each([
    ['{count} of {total}', { count: 1234, total: '5' }, 'en', '1,234 of 5'],
    ['{count}', { count: 1234.5 }, 'de', '1.234,5'],
    ['{count}', { count: 12 }, 'ku', '12'],
    ['{name} {other}', { name: 'x' }, 'en', 'x {other}'],
    // Without isolation, the sign would be displayed after the figure.
    ['{amount}', { amount: '+$85.00' }, 'ar', '\u2068+$85.00\u2069'],
    ['{code}', { code: '012345' }, 'ar', '012345'],
    ['{amount}', { amount: '+$85.00' }, 'de', '+$85.00'],
  ] as const)('%j with %j in %s is %j', (text, params, code, filled) => {
    expect(fillText(text, params, LANGUAGES[code])).toBe(filled)
  })
})
