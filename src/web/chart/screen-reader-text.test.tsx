import { renderHook } from '@testing-library/react'
import { beforeEach, expect, test } from 'vitest'
import type { ChartType } from '#core/charts/chart-type.ts'
import type { ScreenFigures } from '#web/chart/chart-bars.ts'
import type { ChartSymbol } from '#web/chart/chart-symbol.ts'
import { useSummary } from '#web/chart/screen-reader-text.ts'
import { loadTexts } from '#web/i18n/catalogue.ts'
import { publishTick } from '#web/live/live-store.ts'
import { clock } from '#web/options/options.ts'

const BTC: ChartSymbol = {
  code: 'BTC',
  productId: 'BTC-USDT',
  marketType: 'crypto',
  decimals: 2,
  splits: [],
  title: 'BTC/USDT',
}
const FIRST = Date.UTC(2026, 0, 31, 14, 30)
const bar = (minute: number, close: number) => ({
  time: FIRST + minute * 60_000,
  open: 100,
  high: close + 5,
  low: 95,
  close,
  volume: 1,
})

beforeEach(async () => {
  clock.choose('utc')
  await loadTexts('trading')
  await loadTexts('more')
})

function summaryOf(screen: ScreenFigures | null, type: ChartType = 'candles'): string {
  return renderHook(() => useSummary(BTC, '1m', { screen, type })).result.current
}

test('the summary names the type, the interval, the range in view, the change and the indicators', () => {
  const readings = [
    { name: 'SMA 20', colour: 0, values: ['101.50'] },
    { name: 'RSI 14', colour: 1, values: null },
  ]
  expect(summaryOf({ bars: [bar(0, 100), bar(9, 110)], readings, hasNewest: false })).toBe(
    'BTC/USDT, candles of 1m, 01-31 14:30 to 01-31 14:39 UTC: last 110.00, change +10.000%, high 115.00, low 95.00. ' +
      'SMA 20 101.50. RSI 14 not enough bars',
  )
  expect(summaryOf({ bars: [bar(0, 100)], readings: [], hasNewest: false }, 'heikin_ashi')).toMatch(
    /^BTC\/USDT, Heikin-Ashi of 1m/,
  )
})

test('the live price is the last price while the newest bar is in view', () => {
  publishTick('BTC', { price: 120, change: 0, time: FIRST, stale: false })
  const bars = [bar(0, 100), bar(9, 110)]
  expect(summaryOf({ bars, readings: [], hasNewest: true })).toContain('last 120.00, change +20.000%, high 120.00')
  expect(summaryOf({ bars, readings: [], hasNewest: false })).toContain('last 110.00')
})

test('without bars the summary names only the symbol and the interval', () => {
  expect(summaryOf(null)).toBe('BTC/USDT, candles of 1m')
})
