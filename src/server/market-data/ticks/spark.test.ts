import { expect, it } from 'vitest'
import { price, volume } from '#core/money/price.ts'
import { DAY_MS, instant, MINUTE_MS } from '#core/time/instant.ts'
import { sparkOf } from '#server/market-data/ticks/spark.ts'

const NOW = instant(Date.UTC(2026, 2, 18, 12))
const bar = (minutesAgo: number, close: number) => ({
  openTime: instant(NOW - minutesAgo * MINUTE_MS),
  open: price(close),
  high: price(close),
  low: price(close),
  close: price(close),
  volume: volume(1),
})
const known = (points: readonly (number | null)[]) =>
  points.flatMap((point, at) => (point === null ? [] : [[at, point]]))

it('P16: returns thirty closing prices at equal intervals, the newest last', () => {
  const bars = Array.from({ length: 288 }, (_, at) => bar(1_440 - 5 * at, at + 1))
  const points = sparkOf(bars, NOW, price(500))
  expect(points).toHaveLength(30)
  expect(points[0]).toBe(9)
  expect(points[28]).toBe(278)
  expect(points[29]).toBe(500)
})

it('P16: leaves out times without a price', () => {
  const bars = [bar(1_440, 1), bar(1_435, 2), bar(720, 3), bar(5, 4)]
  expect(known(sparkOf(bars, NOW, price(4)))).toEqual([
    [0, 2],
    [15, 3],
    [29, 4],
  ])
})

it('P16: has only the newest price when the market was closed all day', () => {
  expect(known(sparkOf([bar(3 * (DAY_MS / MINUTE_MS), 7)], NOW, price(7)))).toEqual([[29, 7]])
})
