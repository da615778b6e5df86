import { describe, expect, it, test } from 'vitest'
import { formsOf } from '#messages/check-text.ts'
import { checkTranslation } from './check-translation.ts'

const ENGLISH = new Map([
  ['a.open', 'Open {symbol}'],
  ['a.orders_one', '{count} order'],
  ['a.orders_other', '{count} orders'],
])
const check = (texts: Record<string, string>, tag: string) =>
  checkTranslation(ENGLISH, new Map(Object.entries(texts)), tag)

test('a complete language with its own plural forms has no problems', () => {
  expect(check({ 'a.open': '{symbol}を開く', 'a.orders_other': '注文{count}件' }, 'ja')).toEqual({
    wrong: [],
    missing: [],
  })
})

describe('wrong texts', () => {
  it.each([
    [{ 'a.close': 'Zu' }, 'English has no a.close'],
    [{ 'a.open': 'Öffnen' }, 'a.open has other places than English'],
    [{ 'a.open': '{symbol} {when} öffnen' }, 'a.open has other places than English'],
    [{ 'a.orders_other': 'Aufträge' }, 'a.orders_other has other places than English'],
    [{ 'a.open_one': 'Öffnen' }, 'English has no a.open_one'],
  ])('in %j: %s', (texts, problem) => {
    expect(check(texts, 'de').wrong).toEqual([problem])
  })

  it('do not include a plural form for zero, one or two that spells its number instead of using {count}', () => {
    expect(check({ 'a.orders_one': 'Ein Auftrag', 'a.orders_two': 'أمران' }, 'ar').wrong).toEqual([])
  })
})

describe('missing texts', () => {
  it('include each plural form of the language', () => {
    expect(check({ 'a.open': '{symbol}', 'a.orders_one': '1', 'a.orders_other': '{count}' }, 'ar').missing).toEqual([
      'a.orders_zero',
      'a.orders_two',
      'a.orders_few',
      'a.orders_many',
    ])
  })

  it('do not include a plural form that the language uses only for millions', () => {
    expect([...formsOf('es')].toSorted()).toEqual(['one', 'other'])
    expect([...formsOf('ar')]).toHaveLength(6)
    expect([...formsOf('ja')]).toEqual(['other'])
  })
})
