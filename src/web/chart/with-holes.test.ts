import { describe, expect, it } from 'vitest'
import { intervalMs } from '#core/time/chart-interval.ts'
import { withHoles } from '#web/chart/with-holes.ts'

const MINUTE = 60_000
const bar = (time: number) => ({ time, open: 1, high: 1, low: 1, close: 1, volume: 1 })
const holes = (...args: Parameters<typeof withHoles>) =>
  withHoles(...args).flatMap(({ time, bar: own }) => (own === null ? [new Date(time).toISOString().slice(0, 16)] : []))

describe('the slots of candles', () => {
  it('P16: candles have empty slots where prices of an open market are missing', () => {
    const from = Date.UTC(2026, 2, 18, 12)
    const bars = [from, from + MINUTE, from + 4 * MINUTE].map(bar)
    expect(holes(bars, 'crypto', MINUTE)).toEqual(['2026-03-18T12:02', '2026-03-18T12:03'])
    expect(withHoles(bars, 'crypto', MINUTE).map(({ time }) => (time - from) / MINUTE)).toEqual([0, 1, 2, 3, 4])
  })

  it('P16: candles have no empty slots for a night, but empty slots for missing prices on either side of it', () => {
    // New York closes at 20:00 and opens at 13:30 UTC.
    const bars = [Date.UTC(2026, 2, 18, 19, 58), Date.UTC(2026, 2, 19, 13, 32)].map(bar)
    expect(holes(bars, 'us_stocks', MINUTE)).toEqual(['2026-03-18T19:59', '2026-03-19T13:30', '2026-03-19T13:31'])
  })

  it('P16: daily candles have no empty slots for a weekend', () => {
    const days = [Date.UTC(2026, 2, 20), Date.UTC(2026, 2, 24)].map(bar)
    expect(holes(days, 'us_stocks', intervalMs('1d'))).toEqual(['2026-03-23T00:00'])
  })

  it('P16: the number of empty slots is limited for any length of silence', () => {
    const bars = [0, 400 * 24 * 60 * MINUTE].map((after) => bar(Date.UTC(2025, 0, 1) + after))
    expect(holes(bars, 'crypto', MINUTE)).toHaveLength(300)
  })
})
