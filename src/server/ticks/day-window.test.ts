import { describe, expect, it } from 'vitest'
import type { Candle } from '#core/markets/candle.ts'
import { price, volume } from '#core/money/price.ts'
import { HOUR_MS, instant, MINUTE_MS } from '#core/time/instant.ts'
import { DayWindow } from '#server/ticks/day-window.ts'

const NOW = instant(Date.UTC(2026, 2, 18, 15))
const UTC_MIDNIGHT = Date.UTC(2026, 2, 18)
const HKT_MIDNIGHT = Date.UTC(2026, 2, 17, 16)

function bar(openTime: number, open: number, close: number): Candle {
  return {
    openTime: instant(openTime),
    open: price(open),
    high: price(Math.max(open, close)),
    low: price(Math.min(open, close)),
    close: price(close),
    volume: volume(0),
  }
}

function windowOf(...bars: Candle[]): DayWindow {
  const days = new DayWindow()
  days.load(bars)
  return days
}

describe('the price at midnight', () => {
  it('is the last close before it', () => {
    const days = windowOf(
      bar(HKT_MIDNIGHT - 5 * MINUTE_MS, 100, 101),
      bar(HKT_MIDNIGHT, 102, 103),
      bar(UTC_MIDNIGHT - 5 * MINUTE_MS, 104, 105),
      bar(UTC_MIDNIGHT, 106, 107),
    )
    expect(days.stats(NOW, null)?.openOf).toEqual({ hkt: 101, utc: 105 })
  })

  it('is the last known one when the market was closed at midnight', () => {
    const days = windowOf(bar(HKT_MIDNIGHT - HOUR_MS, 100, 101), bar(NOW - HOUR_MS, 110, 111))
    expect(days.stats(NOW, null)?.openOf).toEqual({ hkt: 101, utc: 101 })
  })

  it('is the first known one when there was none before', () => {
    const days = windowOf(bar(NOW - HOUR_MS, 110, 111))
    expect(days.stats(NOW, null)?.openOf).toEqual({ hkt: 110, utc: 110 })
    const open = new DayWindow().stats(NOW, bar(NOW, 120, 121))
    expect(open?.openOf).toEqual({ hkt: 120, utc: 120 })
  })
})

describe('a split within the day', () => {
  const OPENS = Date.UTC(2022, 7, 25, 13, 30)
  const AT = instant(OPENS + 2 * MINUTE_MS)
  const TSLA = [{ newShares: 3, oldShares: 1, effectiveAt: instant(OPENS) }]
  const traded = (openTime: number, open: number, close: number, volumeUnits: number): Candle => ({
    ...bar(openTime, open, close),
    volume: volume(volumeUnits),
  })
  const yesterday = [
    traded(OPENS - 24 * HOUR_MS - 5 * MINUTE_MS, 89_300, 89_355, 10),
    traded(OPENS - 24 * HOUR_MS + 5 * MINUTE_MS, 90_000, 91_500, 20),
    traded(OPENS - 18 * HOUR_MS, 88_000, 89_129, 30),
  ]

  it('P7: has every figure of the day on the basis of the newest price', () => {
    const days = new DayWindow(() => TSLA)
    days.load(yesterday)
    const stats = days.stats(AT, traded(OPENS, 30_236, 30_000, 40))
    // 89 355 / 3, 91 500 / 3, 88 000 / 3; 20 and 30 shares became 60 and 90.
    expect(stats).toMatchObject({ open: 29_785, high: 30_500, low: 29_333, last: 30_000, volume: 190 })
    expect(stats?.openOf).toEqual({ hkt: 30_500, utc: 29_710 })
    expect(new Set(stats?.spark)).toEqual(new Set([30_500, 29_710, 30_000]))
    expect(days.openPrice(AT, traded(OPENS, 30_236, 30_000, 40))).toBe(29_785)
  })

  it('P7: keeps the old basis until the first price of the new one', () => {
    const days = new DayWindow(() => TSLA)
    days.load(yesterday)
    expect(days.stats(AT, null)).toMatchObject({ open: 89_355, high: 91_500, low: 88_000, last: 89_129, volume: 50 })
    expect(days.openPrice(AT, null)).toBe(89_355)
    expect(days.openPrice(AT, traded(OPENS, 30_236, 30_000, 40))).toBe(29_785)
  })

  it('P7: leaves the figures alone when the split is longer ago than a day', () => {
    const old = [{ newShares: 5, oldShares: 1, effectiveAt: instant(Date.UTC(2020, 7, 31, 13, 30)) }]
    const days = new DayWindow(() => old)
    days.load(yesterday)
    expect(days.stats(AT, null)).toMatchObject({ open: 89_355, last: 89_129 })
  })
})
