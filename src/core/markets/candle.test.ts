import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  barOpenTime,
  foldCandle,
  foldCandles,
  foldTick,
  foldTicks,
  type Candle,
  type CandleTick,
} from '#core/markets/candle.ts'
import { price, volume } from '#core/money/price.ts'
import { CHART_INTERVALS, intervalMs } from '#core/time/chart-interval.ts'
import { instant } from '#core/time/instant.ts'

const tick = (time: number, at: number, units = 1): CandleTick => ({
  time: instant(time),
  price: price(at),
  volume: volume(units),
})

const ticks = fc
  .array(
    fc.record({
      wait: fc.oneof(fc.nat(500), fc.nat(100_000), fc.nat(10_000_000)),
      price: fc.integer({ min: 1, max: 1000 }),
      volume: fc.nat(1000),
    }),
    { maxLength: 200 },
  )
  .map((steps) => {
    let time = 1_700_000_000_000
    return steps.map((step) => tick((time += step.wait), step.price, step.volume))
  })

describe('folding ticks', () => {
  test('the candle has the first, last, highest and lowest price and the total volume', () => {
    const candles = foldTicks([tick(60_000, 10), tick(60_500, 14), tick(61_000, 8), tick(119_999, 9)], '1m')
    expect(candles).toEqual([{ openTime: 60_000, open: 10, high: 14, low: 8, close: 9, volume: 4 }])
  })

  test('a tick on the boundary opens the next bar, and bars without ticks have no candle', () => {
    const candles = foldTicks([tick(59_999, 10), tick(60_000, 11), tick(300_000, 12)], '1m')
    expect(candles.map((candle) => candle.openTime)).toEqual([0, 60_000, 300_000])
  })

  test('a tick from an earlier bar throws', () => {
    const later = foldTick(null, tick(120_000, 10), '1m')
    expect(() => foldTick(later, tick(119_999, 10), '1m')).toThrow('earlier bar')
  })

  test('folding in any chunks gives the same candles', () => {
    fc.assert(
      fc.property(ticks, fc.constantFrom(...CHART_INTERVALS), fc.nat(200), (all, interval, cut) => {
        const first = foldTicks(all.slice(0, cut), interval)
        const second = foldTicks(all.slice(cut), interval)
        const joined: Candle[] = [...first]
        for (const candle of second) {
          const merged = foldCandle(joined.at(-1) ?? null, candle, interval)
          if (merged.openTime === joined.at(-1)?.openTime) joined.pop()
          joined.push(merged)
        }
        expect(joined).toEqual(foldTicks(all, interval))
      }),
    )
  })

  test('coarser candles built from finer candles equal candles built from ticks', () => {
    fc.assert(
      fc.property(ticks, (all) => {
        let finer = foldTicks(all, '1m')
        for (const interval of CHART_INTERVALS.slice(1)) {
          const direct = foldTicks(all, interval)
          expect(foldCandles(foldTicks(all, '1m'), interval)).toEqual(direct)
          finer = foldCandles(finer, interval)
          expect(finer).toEqual(direct)
        }
      }),
    )
  })

  test('candles ascend, are aligned and contain their ticks', () => {
    fc.assert(
      fc.property(ticks, fc.constantFrom(...CHART_INTERVALS), (all, interval) => {
        const candles = foldTicks(all, interval)
        const byTime = new Map(candles.map((candle) => [candle.openTime, candle]))
        expect(byTime.size).toBe(candles.length)
        for (const candle of candles) expect(candle.openTime % intervalMs(interval)).toBe(0)
        for (const one of all) {
          const candle = byTime.get(barOpenTime(one.time, interval))
          expect(candle).toBeDefined()
          expect(one.price).toBeLessThanOrEqual(candle?.high ?? 0)
          expect(one.price).toBeGreaterThanOrEqual(candle?.low ?? 0)
        }
      }),
    )
  })
})
