import { expect, it } from 'vitest'
import { createHideKey, withoutKey } from '#server/market-data/feeds/providers/hide-key.ts'
import { ProviderRecorder } from '#test/support/providers/provider-recorder.ts'

it.each([
  ['Invalid API key SECRETKEY', 'Invalid API key …'],
  ['SECRETKEY and SECRETKEY', '… and …'],
  ['a text that was cut: SECRET', 'a text that was cut: …'],
  ['wss://ws.finnhub.io/?token=SECRETKEY', 'wss://ws.finnhub.io/?token=…'],
  ['nothing of it', 'nothing of it'],
])('P8: stores %s as %s', (text, expected) => {
  expect(createHideKey('SECRETKEY')(text)).toBe(expected)
})

it('P8: hides a key as written in addresses and in JSON', () => {
  const hide = createHideKey('a "key"/b')
  expect(hide('token=a%20%22key%22%2Fb')).toBe('token=…')
  expect(hide('{"msg":"a \\"key\\"/b"}')).toBe('{"msg":"…"}')
})

it('hides a very short key only where it stands alone, and changes no word', () => {
  expect(createHideKey('k')('a trade that makes no sense: k, token=k')).toBe('a trade that makes no sense: …, token=…')
})

it.each([undefined, ''])('changes no text when the key is %j', (key) => {
  expect(createHideKey(key)('a text')).toBe('a text')
})

it('P8: never stores the key in a problem', () => {
  const recorder = new ProviderRecorder()
  const sink = withoutKey(recorder, createHideKey('SECRETKEY'))
  sink.trouble({ kind: 'refused', symbol: 'SECRETKEY', why: 'Invalid symbol SECRETKEY' })
  sink.trouble({ kind: 'refused', symbol: null, why: 'Invalid API key SECRETKEY' })
  sink.trouble({ kind: 'disconnected', symbols: ['X'], why: 'the provider closed it: 1008 SECRETKEY' })
  expect(recorder.troubles).toHaveLength(3)
  expect(JSON.stringify(recorder.troubles)).not.toContain('SECRET')
})
