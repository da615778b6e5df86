import { expect, test } from 'vitest'
import type { Candle } from '#core/markets/candle.ts'
import { price, volume } from '#core/money/price.ts'
import { instant } from '#core/time/instant.ts'
import { createCandleCache } from '#server/market-data/feeds/synthetic/candle-cache.ts'

const one = price(1)
const candles = (count: number): Candle[] =>
  Array.from({ length: count }, (_, at) => ({
    openTime: instant(at * 60_000),
    open: one,
    high: one,
    low: one,
    close: one,
    volume: volume(0),
  }))

test('evicts the least recently used list first, and counts a replaced list once', () => {
  const cache = createCandleCache(10)
  cache.put('a', candles(3))
  cache.put('a', candles(3))
  cache.put('b', candles(3))
  expect(cache.get('a')).toHaveLength(3)
  cache.put('c', candles(1))
  expect(cache.get('b')).toHaveLength(3)
  cache.put('d', [])
  expect(cache.get('a')).toBeUndefined()
  expect(cache.get('b')).toHaveLength(3)
  expect(cache.get('c')).toHaveLength(1)
  expect(cache.get('d')).toEqual([])
})

test('keeps a list larger than the whole cache until the next one arrives', () => {
  const cache = createCandleCache(10)
  cache.put('large', candles(50))
  expect(cache.get('large')).toHaveLength(50)
  cache.put('small', candles(1))
  expect(cache.get('large')).toBeUndefined()
  expect(cache.get('small')).toHaveLength(1)
})
