import { expect, test } from 'vitest'
import { foldOnGrid, gridOf, gridTimes } from '#web/chart/tick-line.ts'

const MINUTE = 60_000

test('the grid reaches from before the entry to after the expiry, with a bounded number of points', () => {
  for (const length of [MINUTE, 5 * MINUTE, 60 * MINUTE, 24 * 60 * MINUTE]) {
    const openedAt = 1_700_000_000_123
    const grid = gridOf({ openedAt, expiresAt: openedAt + length })
    expect(grid.fromMs).toBeLessThan(openedAt)
    expect(grid.toMs).toBeGreaterThan(openedAt + length)
    expect(gridTimes(grid).length).toBeLessThan(600)
  }
})

test('each time takes the last price of its step; gaps keep the price, the future has none', () => {
  const grid = { fromMs: 0, toMs: 5_000, stepMs: 1_000 }
  const ticks = [
    { time: 3_100, price: 13 },
    { time: 1_000, price: 10 },
    { time: 1_900, price: 11 },
  ]
  expect(foldOnGrid(grid, ticks)).toEqual([null, 11, 11, 13, null, null])
})

test('where nothing was seen for long, no price is claimed', () => {
  const ticks = [
    { time: 0, price: 10 },
    { time: 9_000, price: 12 },
  ]
  const prices = foldOnGrid({ fromMs: 0, toMs: 9_000, stepMs: 1_000 }, ticks)
  expect(prices).toEqual([10, 10, 10, 10, 10, 10, null, null, null, 12])
})

test('without ticks there is no line', () => {
  expect(foldOnGrid({ fromMs: 0, toMs: 2_000, stepMs: 1_000 }, [])).toEqual([null, null, null])
})
