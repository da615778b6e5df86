import { type ChartInterval, intervalMs } from '#core/time/chart-interval.ts'
import { instant, MINUTE_MS, type Instant } from '#core/time/instant.ts'

/** 500 bars per page of past candles. Pages are counted from 1970, so that all clients request the same pages. */
export const BARS_IN_PAGE = 500

/** 2 minutes: prices may arrive a minute late. After this time, no more prices are accepted for a page. */
const SETTLED_AFTER_MS = 2 * MINUTE_MS

export interface CandlePageSpan {
  readonly from: Instant
  /** The end of the page, exclusive. */
  readonly until: Instant
}

/** Returns the number of the page that contains the bar of an instant. */
export function candlePageAt(at: Instant, interval: ChartInterval): number {
  return Math.floor(at / (intervalMs(interval) * BARS_IN_PAGE))
}

export function candlePageSpan(page: number, interval: ChartInterval): CandlePageSpan {
  const length = intervalMs(interval) * BARS_IN_PAGE
  return { from: instant(page * length), until: instant((page + 1) * length) }
}

/** Whether all bars of a page are closed, so that the page changes only when a gap in it is filled. */
export function isPastPage(page: number, interval: ChartInterval, now: Instant): boolean {
  return (page + 1) * intervalMs(interval) * BARS_IN_PAGE + SETTLED_AFTER_MS <= now
}
