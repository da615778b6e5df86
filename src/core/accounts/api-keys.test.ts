import { expect, it } from 'vitest'
import { allowsKey, formatApiKey, keyInAddress, parseApiKey } from '#core/accounts/api-keys.ts'

const key = { id: '0123456789abcdef', secret: `${'A'.repeat(20)}_-${'z'.repeat(21)}` }
const text = formatApiKey(key)

it('a written key is read back unchanged', () => {
  expect(parseApiKey(text)).toEqual(key)
})

it.each([
  ['another prefix', text.replace('fwk', 'fwx')],
  ['a short id', 'fwk_0123_' + key.secret],
  ['a short secret', text.slice(0, -1)],
  ['a long secret', `${text}A`],
  ['a space', `${text} `],
  ['capitals in the id', text.replace('abcdef', 'ABCDEF')],
  ['an empty text', ''],
])('parseApiKey refuses a key with %s', (_, wrong) => {
  expect(parseApiKey(wrong)).toBeNull()
})

it.each([
  ['in the query', `/api/user/key?token=${text}&x=1`],
  ['in the path', `/api/${text}/key`],
  ['with an escaped underscore', `/api/user/key?token=${text.replaceAll('_', '%5f')}`],
  ['escaped twice', `/ws/app?token=${text.replaceAll('_', '%255F')}`],
  ['with escaped letters', `/ws/app?token=%66%77k${text.slice(3)}`],
])('keyInAddress finds a key %s of a URL', (_, url) => {
  expect(keyInAddress(url)).toEqual({ isNamed: true, key })
})

it('keyInAddress reports a URL with an incomplete key, but no URL without a key', () => {
  expect(keyInAddress('/api/user/key?token=fwk_0123')).toEqual({ isNamed: true, key: null })
  expect(keyInAddress('/api/user/key?token=%zz')).toEqual({ isNamed: false, key: null })
})

it.each([
  ['read', 'read', true],
  ['read', 'trade', true],
  ['trade', 'read', false],
  ['trade', 'trade', true],
  ['never', 'read', false],
  ['never', 'trade', false],
] as const)('a call for %s allows a key with scope %s: %s', (use, scope, isAllowed) => {
  expect(allowsKey(use, scope)).toBe(isAllowed)
})
