import { expect, test } from 'vitest'
import type { Bar } from '#web/chart/bar.ts'
import { ChartBars } from '#web/chart/chart-bars.ts'

const STEP = 60_000
const START = Date.UTC(2026, 0, 5)
const bar = (index: number, close = 1): Bar => ({
  time: START + index * STEP,
  open: 1,
  high: 1,
  low: 1,
  close,
  volume: 0,
})

test('a missing bar has a slot, and the legend and the crosshair skip this slot', () => {
  const bars = new ChartBars('crypto', STEP)
  bars.set([bar(0), bar(2), bar(3)])
  expect(bars.times).toEqual([0, 1, 2, 3].map((index) => START + index * STEP))
  expect(bars.legendAt(1, new Map())).toBeNull()
  expect(bars.legendAt(2, new Map())).toEqual({ bar: bar(2), previous: null, split: null })
  expect(bars.barAfter(bar(2).time, -1)).toEqual(bar(0))
})

test('a live bar replaces the open bar, and the next bar is added', () => {
  const bars = new ChartBars('crypto', STEP)
  bars.set([bar(0), bar(1)])
  expect(bars.update(bar(1, 5), [bar(0), bar(1, 5)])).toBe(false)
  expect(bars.update(bar(2, 7), [bar(0), bar(1, 5), bar(2, 7)])).toBe(true)
  expect(bars.slots.map((slot) => slot.bar?.close)).toEqual([1, 5, 7])
  expect(bars.indexOf(bar(2).time)).toBe(2)
})

test('a step of the crosshair starts from the end of the chart, and never leaves the bars', () => {
  const bars = new ChartBars('crypto', STEP)
  expect(bars.barAfter(null, -1)).toBeNull()
  bars.set([bar(0), bar(1), bar(2)])
  expect(bars.barAfter(null, -1)).toEqual(bar(2))
  expect(bars.barAfter(null, Infinity)).toEqual(bar(2))
  expect(bars.barAfter(bar(1).time, -10)).toEqual(bar(0))
})
