import { afterEach, beforeEach, expect, it, vi } from 'vitest'

const stored = new Map<string, string>()

beforeEach(() => {
  stored.clear()
  vi.resetModules()
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => stored.set(key, value),
    removeItem: (key: string) => stored.delete(key),
  })
})
afterEach(() => vi.unstubAllGlobals())

const PRESET = { type: 'candles', interval: '1m', ticks: null, isLogarithmic: false, indicators: [] }

it.each([
  ['no JSON', '{'],
  ['null', 'null'],
  ['a list', '[]'],
  ['another version', JSON.stringify({ ...PRESET, version: 2 })],
  ['1 MB', JSON.stringify({ version: 1, indicators: ['x'.repeat(1_000_000)] })],
])('stored settings that are %s count as unreadable, and the presets apply', async (_, text) => {
  stored.set('desk', text)
  const { isDeskUnreadable, readDesk } = await import('#web/options/desk.ts')
  expect(readDesk(text)).toBeNull()
  expect(isDeskUnreadable()).toBe(true)
})

it('unknown values are replaced by their presets, and unknown keys are dropped', async () => {
  const { readDesk } = await import('#web/options/desk.ts')
  const text =
    '{"version":1,"type":"toString","interval":"__proto__","ticks":"toString","isLogarithmic":1,"indicators":{},"__proto__":{"a":1}}'
  expect(readDesk(text)).toEqual(PRESET)
})

it('a change is stored, replaces unreadable settings, and leaves other settings unchanged', async () => {
  stored.set('desk', '{')
  const { changeDesk, isDeskUnreadable, readDesk } = await import('#web/options/desk.ts')
  changeDesk({ type: 'area' })
  changeDesk({ interval: '1h', ticks: 'every', indicators: [{ kind: 'sma' }] })
  expect(isDeskUnreadable()).toBe(false)
  const text = stored.get('desk') ?? ''
  expect(readDesk(text)).toEqual({
    ...PRESET,
    type: 'area',
    interval: '1h',
    ticks: 'every',
    indicators: [{ kind: 'sma' }],
  })
})

it('without stored settings, `isDeskUnreadable()` is false', async () => {
  const { isDeskUnreadable } = await import('#web/options/desk.ts')
  expect(isDeskUnreadable()).toBe(false)
})
