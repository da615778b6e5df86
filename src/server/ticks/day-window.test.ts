import { describe, expect, it } from 'vitest'
import type { Candle } from '#core/markets/candle.ts'
import { price, volume } from '#core/money/price.ts'
import { HOUR_MS, instant, MINUTE_MS } from '#core/time/instant.ts'
import { DayWindow, type Newest } from '#server/ticks/day-window.ts'

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

function newest(change: Partial<Newest> = {}): Newest {
  return { tick: null, openBar: null, mayBeOvertaken: false, ...change }
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
    expect(days.stats(NOW, newest())?.openOf).toEqual({ hkt: 101, utc: 105 })
  })

  it('is the last known one when the market was closed at midnight', () => {
    const days = windowOf(bar(HKT_MIDNIGHT - HOUR_MS, 100, 101), bar(NOW - HOUR_MS, 110, 111))
    expect(days.stats(NOW, newest())?.openOf).toEqual({ hkt: 101, utc: 101 })
  })

  it('is the first known one when there was none before', () => {
    const days = windowOf(bar(NOW - HOUR_MS, 110, 111))
    expect(days.stats(NOW, newest())?.openOf).toEqual({ hkt: 110, utc: 110 })
    const open = new DayWindow().stats(NOW, newest({ openBar: bar(NOW, 120, 121) }))
    expect(open?.openOf).toEqual({ hkt: 120, utc: 120 })
  })
})
