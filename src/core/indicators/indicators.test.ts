import fc from 'fast-check'
import { expect, it } from 'vitest'
import { indicatorOf, warmUpOf } from '#core/indicators/create-indicator.ts'
import { HEIKIN_ASHI } from '#core/indicators/heikin-ashi.ts'
import {
  INDICATOR_KINDS,
  INDICATORS,
  indicatorName,
  type IndicatorSettings,
  LINE_COLOURS,
  MAX_INDICATORS,
  mayAdd,
  presetOf,
  readIndicators,
} from '#core/indicators/indicator-settings.ts'
import { createIndicator, type PriceBar } from '#core/indicators/rule.ts'
import { sessionStarts } from '#core/indicators/session-starts.ts'

const MINUTE_MS = 60_000
const sameSession = () => 0

/** The bars of the reference vector: 40 bars of a minute, in hundredths. */
function referenceBars(): PriceBar[] {
  let open = 10_000
  return Array.from({ length: 40 }, (_, i) => {
    const close = open + (((i * 37) % 23) - 11) * 7
    const bar = {
      time: i * MINUTE_MS,
      open: open / 100,
      high: (Math.max(open, close) + ((i * 13) % 9) * 5) / 100,
      low: (Math.min(open, close) - ((i * 7) % 5) * 6) / 100,
      close: close / 100,
      volume: 100 + ((i * 29) % 50),
    }
    open = close
    return bar
  })
}

const REFERENCE: readonly (readonly [(typeof INDICATOR_KINDS)[number], number, readonly number[]])[] = [
  ['sma', 19, [99.307]],
  ['ema', 19, [99.251748]],
  ['wma', 19, [99.218333]],
  ['bollinger', 19, [98.536491, 99.307, 100.077509]],
  ['rsi', 14, [51.534822]],
  ['macd', 33, [-0.004899, -0.008642, 0.003743]],
  ['stochastic', 17, [58.227053, 56.003937]],
  ['atr', 14, [0.72629]],
  ['volume_average', 19, [125.5]],
  ['vwap', 0, [99.321166]],
]

it.each(REFERENCE)('the reference vector: %s has its first value at bar %i and ends at %j', (kind, first, last) => {
  const indicator = indicatorOf(presetOf(kind, 0), sameSession)
  const values = referenceBars().map((bar) => indicator.close(bar))
  expect(values.findIndex((value) => value !== null)).toBe(first)
  expect(values.at(-1)?.map((value) => Number(value.toFixed(6)))).toEqual(last)
})

it('the reference vector ends with the expected bar and the expected Heikin-Ashi bar', () => {
  const bars = referenceBars()
  expect(bars.at(-1)).toMatchObject({ open: 99.02, high: 99.59, low: 98.84, close: 99.44, volume: 131 })
  const averaged = createIndicator(HEIKIN_ASHI)
  const last = bars.map((bar) => averaged.close(bar)).at(-1)
  expect(last?.open.toFixed(5)).toBe('99.34468')
  expect(last).toMatchObject({ high: 99.59, low: 98.84 })
  expect(last?.close).toBeCloseTo(99.2225, 9)
})

const share = (max: number) => fc.double({ min: 0, max, noNaN: true })
const STEPS = fc.record({
  move: fc.double({ min: -0.005, max: 0.005, noNaN: true }),
  above: share(0.002),
  below: share(0.002),
  volume: fc.nat(1_000),
})

/** Bars of a random walk. */
function randomBars(count: number, seed: number): PriceBar[] {
  let open = 100
  return fc.sample(STEPS, { numRuns: count, seed }).map(({ move, above, below, volume }, i) => {
    const close = open * (1 + move)
    const [high, low] = [Math.max(open, close) * (1 + above), Math.min(open, close) * (1 - below)]
    const bar = { time: i * MINUTE_MS, open, high, low, close, volume }
    open = close
    return bar
  })
}

/** Settings of every kind of indicator: once with the preset and once with other parameters. */
const SETTINGS: readonly IndicatorSettings[] = INDICATOR_KINDS.flatMap((kind) => [
  presetOf(kind, 0),
  { ...presetOf(kind, 0), parameters: INDICATORS[kind].parameters.map(({ min }, at) => min + at + 3) },
])

it.each(SETTINGS)(
  'for random bars, peek returns what close would return, and changes nothing: $kind $parameters',
  (settings) => {
    const [peeked, plain] = [indicatorOf(settings, sameSession), indicatorOf(settings, sameSession)]
    for (const bar of randomBars(300, 7)) {
      for (const factor of [0.9, 1.2]) peeked.peek({ ...bar, close: bar.close * factor, volume: bar.volume * 2 })
      const before = peeked.peek(bar)
      expect(peeked.close(bar)).toEqual(before)
      expect(plain.close(bar)).toEqual(before)
    }
  },
)

it.each(SETTINGS)('1,000 older bars change no value after the warm-up: $kind $parameters', (settings) => {
  const bars = randomBars(1_000 + 1_600, 11)
  const starts = (time: number) => Math.floor(time / (200 * MINUTE_MS))
  const [early, late] = [indicatorOf(settings, starts), indicatorOf(settings, starts)]
  const warmUp = warmUpOf(settings, 200)
  let compared = 0
  for (const [at, bar] of bars.entries()) {
    const expected = early.close(bar)
    const values = at < 1_000 ? null : late.close(bar)
    if (at < 1_000 + warmUp || values === null) continue
    compared += 1
    const tolerance = settings.kind === 'rsi' || settings.kind === 'stochastic' ? 1e-3 : bar.close * 1e-6
    for (const [place, value] of values.entries()) {
      expect(Math.abs(value - (expected?.[place] ?? NaN))).toBeLessThan(tolerance)
    }
  }
  expect(compared).toBeGreaterThan(1_000)
})

it('averages of 1,000 random bars equal their definition', () => {
  const bars = randomBars(1_000, 3)
  const n = 20
  const [sma, wma, bands, volume] = (['sma', 'wma', 'bollinger', 'volume_average'] as const).map((kind) =>
    indicatorOf(presetOf(kind, 0), sameSession),
  )
  for (const [at, bar] of bars.entries()) {
    const values = [sma, wma, bands, volume].map((one) => one?.close(bar))
    if (at < n - 1) {
      expect(values).toEqual([null, null, null, null])
      continue
    }
    const last = bars.slice(at - n + 1, at + 1)
    let [sum, weighted, volumes] = [0, 0, 0]
    for (const [place, one] of last.entries()) {
      sum += one.close
      weighted += one.close * (place + 1)
      volumes += one.volume
    }
    const middle = sum / n
    const deviation = Math.sqrt(last.reduce((total, { close }) => total + (close - middle) ** 2, 0) / n)
    expect(values[0]?.[0]).toBeCloseTo(middle, 9)
    expect(values[1]?.[0]).toBeCloseTo(weighted / 210, 9)
    expect(values[2]?.[0]).toBeCloseTo(middle - 2 * deviation, 9)
    expect(values[2]?.[2]).toBeCloseTo(middle + 2 * deviation, 9)
    expect(values[3]?.[0]).toBeCloseTo(volumes / n, 9)
  }
})

it.each([
  ['rises only', [1, 2, 3, 4, 5], 100],
  ['falls only', [5, 4, 3, 2, 1], 0],
  ['rests', [3, 3, 3, 3, 3], 50],
] as const)('RSI of a price that %s', (_, closes, expected) => {
  const rsi = indicatorOf({ ...presetOf('rsi', 0), parameters: [3] }, sameSession)
  const values = closes.map((close, i) =>
    rsi.close({ time: i, open: close, high: close, low: close, close, volume: 0 }),
  )
  expect(values.at(-1)).toEqual([expected])
})

it('the stochastic is 50 when low equals high, and VWAP has no value without volume', () => {
  const flat = { time: 0, open: 1, high: 1, low: 1, close: 1, volume: 0 }
  const stochastic = indicatorOf({ ...presetOf('stochastic', 0), parameters: [2, 1, 1] }, sameSession)
  expect([stochastic.close(flat), stochastic.close(flat)]).toEqual([null, [50, 50]])
  expect(indicatorOf(presetOf('vwap', 0), sameSession).close(flat)).toBeNull()
})

it('VWAP starts again at midnight UTC, and for stocks with the opening bell', () => {
  const day = Date.UTC(2026, 0, 6)
  const crypto = sessionStarts('crypto')
  expect([crypto(day - 1), crypto(day), crypto(day + 1)]).toEqual([day - 86_400_000, day, day])
  const stocks = sessionStarts('us_stocks')
  const bell = day + 14.5 * 3_600_000
  // The hourly bar that contains the opening bell begins before the bell.
  for (const hour of [14, 14.5, 17, 20.9]) expect(stocks(day + hour * 3_600_000)).toBe(bell)
  expect(stocks(day + 86_400_000 + 15 * 3_600_000)).toBe(bell + 86_400_000)
})

it('stored indicators with values out of range get valid values, and unknown indicators are left out', () => {
  const stored = [
    { kind: 'sma', parameters: [1e9], colour: -3, source: 'hl2' },
    { kind: 'ema', parameters: [Number.NaN], colour: 99, source: 'constructor' },
    { kind: 'bollinger', parameters: ['20', 0.1234] },
    { kind: '__proto__' },
    { kind: 'toString', parameters: [5] },
    null,
    'rsi',
    { kind: 'rsi', parameters: [14.6] },
    { kind: 'rsi', parameters: [20] },
  ]
  expect(readIndicators(stored)).toEqual([
    { kind: 'sma', parameters: [400], colour: 0, source: 'hl2' },
    { kind: 'ema', parameters: [20], colour: LINE_COLOURS - 1, source: 'close' },
    { kind: 'bollinger', parameters: [20, 0.5], colour: 0, source: 'close' },
    { kind: 'rsi', parameters: [15], colour: 0, source: 'close' },
  ])
})

it('a chart has at most eight indicators, and three of each average', () => {
  const three = [1, 2, 3].map((colour) => presetOf('sma', colour))
  expect([mayAdd('sma', three), mayAdd('sma', three.slice(1)), mayAdd('ema', three)]).toEqual([false, true, true])
  const many = INDICATOR_KINDS.map((kind) => presetOf(kind, 0))
  expect(readIndicators(many)).toHaveLength(MAX_INDICATORS)
  expect(mayAdd('ema', many.slice(0, MAX_INDICATORS))).toBe(false)
})

it('an indicator is named with its parameters', () => {
  expect(indicatorName(presetOf('macd', 0))).toBe('MACD 12, 26, 9')
  expect(indicatorName({ ...presetOf('sma', 0), source: 'hlc3' })).toBe('SMA 20 hlc3')
  expect(indicatorName(presetOf('vwap', 0))).toBe('VWAP')
})
