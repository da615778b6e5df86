import fc from 'fast-check'
import { expect, it } from 'vitest'
import { barOpenTime } from '#core/markets/candle.ts'
import { BARS_IN_PAGE, candlePageAt, candlePageSpan, isPastPage } from '#core/markets/candle-page.ts'
import { CHART_INTERVALS, intervalMs } from '#core/time/chart-interval.ts'
import { instant, later } from '#core/time/instant.ts'

const ANY_INTERVAL = fc.constantFrom(...CHART_INTERVALS)
const ANY_TIME = fc.integer({ min: 0, max: 4_000_000_000_000 }).map(instant)

it('candle pages contain every bar exactly once, without gaps between pages', () => {
  fc.assert(
    fc.property(ANY_INTERVAL, ANY_TIME, (interval, at) => {
      const page = candlePageAt(at, interval)
      const { from, until } = candlePageSpan(page, interval)
      const open = barOpenTime(at, interval)
      expect(open).toBeGreaterThanOrEqual(from)
      expect(open + intervalMs(interval)).toBeLessThanOrEqual(until)
      expect(until - from).toBe(BARS_IN_PAGE * intervalMs(interval))
      expect(candlePageSpan(page + 1, interval).from).toBe(until)
    }),
  )
})

it('isPastPage is true as soon as the server can no longer accept a tick for the page', () => {
  const { until } = candlePageSpan(7, '5m')
  expect(isPastPage(7, '5m', later(until, 119_999))).toBe(false)
  expect(isPastPage(7, '5m', later(until, 120_000))).toBe(true)
  expect(isPastPage(8, '5m', later(until, 120_000))).toBe(false)
})
