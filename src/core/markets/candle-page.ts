import { type ChartInterval, intervalMs } from '#core/time/chart-interval.ts'
import { instant, MINUTE_MS, type Instant } from '#core/time/instant.ts'

/** Candles of the past come in pages of so many bars, counted from 1970, so that everyone asks for the same ones. */
export const BARS_IN_PAGE = 500

/** Prices may come a minute late; after this nothing of a page's time is accepted any more. */
const SETTLED_AFTER_MS = 2 * MINUTE_MS

export interface CandlePageSpan {
  readonly from: Instant
  /** Exclusive. */
  readonly until: Instant
}

/** The number of the page that holds the bar of an instant. */
export function candlePageAt(at: Instant, interval: ChartInterval): number {
  return Math.floor(at / (intervalMs(interval) * BARS_IN_PAGE))
}

export function candlePageSpan(page: number, interval: ChartInterval): CandlePageSpan {
  const length = intervalMs(interval) * BARS_IN_PAGE
  return { from: instant(page * length), until: instant((page + 1) * length) }
}

/** Whether all bars of a page are closed, so that it does not change unless a hole in it is filled. */
export function isPastPage(page: number, interval: ChartInterval, now: Instant): boolean {
  return (page + 1) * intervalMs(interval) * BARS_IN_PAGE + SETTLED_AFTER_MS <= now
}
