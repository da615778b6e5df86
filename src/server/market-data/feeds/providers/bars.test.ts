import { expect, it } from 'vitest'
import { instant } from '#core/time/instant.ts'
import { type BarFields, soundBars } from '#server/market-data/feeds/providers/bars.ts'
import { PartialBars, ProviderError } from '#server/market-data/feeds/providers/provider.ts'

const START = 1_786_309_200_000
const MINUTE = 60_000
const query = {
  symbol: 'BTC-USD',
  interval: '1m',
  from: instant(START),
  before: instant(START + 5 * MINUTE),
} as const
const NOW = instant(START + 60 * MINUTE)

function bar(minute: number, odd: Partial<BarFields> = {}): BarFields {
  return { openTime: START + minute * MINUTE, open: '2', high: '3', low: '1', close: '2', volume: '5', ...odd }
}

function read(...bars: readonly BarFields[]): { bars: number[]; unread: number[] } {
  const minutes = (times: readonly number[]) => times.map((at) => (at - START) / MINUTE)
  try {
    return { bars: minutes(soundBars(bars, query, NOW).map(({ openTime }) => openTime)), unread: [] }
  } catch (error) {
    if (!(error instanceof PartialBars)) throw error
    return { bars: minutes(error.bars.map(({ openTime }) => openTime)), unread: minutes(error.unread) }
  }
}

it('treats missing bars as bars without trades, and two equal bars as one bar', () => {
  expect(read(bar(3), bar(0), bar(3), bar(1))).toEqual({ bars: [0, 1, 3], unread: [] })
})

it.each<[string, Partial<BarFields>]>([
  ['no price', { close: '' }],
  ['a price of nothing', { open: '0' }],
  ['a sign', { open: '-2' }],
  ['a blank', { low: ' 1' }],
  ['no volume', { volume: null }],
  ['a volume inside something', { volume: { '': '5' } }],
  ['a high below its close', { high: '1.5' }],
  ['a low above its open', { low: '2.5' }],
])('P1: treats a bar with %s as unknown, and uses its neighbours', (_, odd) => {
  expect(read(bar(0), bar(1, odd), bar(2))).toEqual({ bars: [0, 2], unread: [1] })
})

it.each([
  ['no time', null],
  ['a time with a blank', ` ${START + MINUTE}`],
  ['a time in between', START + MINUTE + 1],
])('P1: treats each missing bar as unknown when it follows a bar with %s', (_, openTime) => {
  expect(read(bar(0), bar(1, { openTime }), bar(2))).toEqual({ bars: [0, 2], unread: [1, 3, 4] })
})

it('P1: treats a bar as unknown when two different bars have its time', () => {
  expect(read(bar(0), bar(1), bar(1, { close: '2.5' }), bar(2))).toEqual({ bars: [0, 2], unread: [1] })
})

it('P1: ignores an invalid bar outside the request', () => {
  expect(read(bar(-1, { close: '' }), bar(0), bar(7, { close: '' }))).toEqual({ bars: [0], unread: [] })
})

it('rejects bars of another interval than requested', () => {
  const five = { ...query, interval: '5m' } as const
  const minutes = [0, 1, 2, 3, 4].map((minute) => bar(minute))
  expect(() => soundBars(minutes, five, NOW)).toThrow(ProviderError)
  expect(() => soundBars(minutes, five, NOW)).not.toThrow(PartialBars)
})

it.each([1_786_309_200, 1_786_309_200_000, '1786309200', '1786309200000000'])(
  'P22: reads the opening time %j as the same instant',
  (openTime) => {
    expect(read(bar(0, { openTime }))).toEqual({ bars: [0], unread: [] })
  },
)
