import { expect, it } from 'vitest'
import english from '#messages/en.json' with { type: 'json' }
import { flattenMessages, keysFor } from '#messages/check-text.ts'
import { LANGUAGES } from '#messages/languages.ts'
import { FREE_KEYS, isLockedText } from '#messages/locked-keys.ts'

const texts = flattenMessages(english)

it('isLockedText locks every text about stakes, payouts, results, prices and balances that is not listed as free', () => {
  const words = /amount|price|payout|stake|result|\bvoid\b|balance/i
  const open = [...texts].filter(([key, text]) => words.test(`${key} ${text}`) && !isLockedText(texts, key))
  const named = open.filter(([key]) => FREE_KEYS[key] === undefined && words.test(texts.get(key) ?? ''))
  expect(named).toEqual([])
})

it('isLockedText locks plural texts of other languages if the English plural is locked', () => {
  const forms = keysFor(texts, LANGUAGES.ar.tag).filter((key) => key.startsWith('wallet.in_orders_'))
  expect(forms.length).toBeGreaterThan(2)
  expect(forms.filter((key) => !isLockedText(texts, key))).toEqual([])
})

it('isLockedText lets the operator override texts that are not about money or results', () => {
  for (const key of ['login.title', 'home.headline', 'refusal.credentials_wrong', 'signup.title']) {
    expect([key, isLockedText(texts, key)]).toEqual([key, false])
  }
})

it('FREE_KEYS lists only texts that exist, each with a reason', () => {
  for (const [key, reason] of Object.entries(FREE_KEYS)) {
    expect(texts.has(key), key).toBe(true)
    expect(reason, key).toMatch(/^[A-Z].+\.$/)
  }
})
