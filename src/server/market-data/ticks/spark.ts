import type { Candle } from '#core/markets/candle.ts'
import type { Price } from '#core/money/price.ts'
import { intervalMs } from '#core/time/chart-interval.ts'
import { DAY_MS, type Instant } from '#core/time/instant.ts'

const POINTS = 30
const STEP_MS = DAY_MS / POINTS
const BAR_MS = intervalMs('5m')

/**
 * Thirty closing prices at equal intervals over the last 24 hours, oldest first, from five-minute bars. Null where
 * there was no price, so that charts draw no line across it. The last point is the newest price.
 */
export function sparkOf(bars: readonly Candle[], now: Instant, last: Price): (Price | null)[] {
  const points = Array.from({ length: POINTS }, (): Price | null => null)
  for (const { openTime, close } of bars) {
    const place = Math.floor((openTime + BAR_MS - 1 - (now - DAY_MS)) / STEP_MS)
    if (place >= 0) points[Math.min(place, POINTS - 1)] = close
  }
  points[POINTS - 1] = last
  return points
}
