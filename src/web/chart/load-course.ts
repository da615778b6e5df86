import { type ChartInterval, intervalMs } from '#core/time/chart-interval.ts'
import { call } from '#web/api/call.ts'
import { loadBars } from '#web/chart/candle-data.ts'
import type { CourseParts, Fetched } from '#web/chart/follow-course.ts'
import { getAccount } from '#web/session/account.ts'
import type { PriceRange, Span } from '#web/chart/price-course.ts'

/** One hour: up to this duration a chart has a pixel for every few seconds, so it draws ticks. */
const MAX_TICKS_DURATION_MS = 3_600_000
/** The maximum number of candles in one reply. */
const MAX_BARS = 1_000

interface Loaded {
  readonly id: string
  readonly productId: string
  readonly openedAt: number
  readonly expiresAt: number
  readonly span: Span
}

/**
 * Returns how to load the prices during an order. Up to one hour it loads ticks, which the server thins to what a wide
 * screen can show. For longer orders it loads the price range of each candle that was made from all our ticks; a candle
 * spans one or two pixels.
 */
export function courseSource(order: Loaded): Pick<CourseParts, 'load' | 'everyMs'> {
  return isDrawnByRanges(order.openedAt, order.expiresAt)
    ? { load: (from, signal) => loadRanges(order, from, signal), everyMs: 60_000 }
    : { load: (from, signal) => loadTicks(order.id, from, signal), everyMs: 2_000 }
}

/** Whether an order is too long for each of its ticks to be drawn. */
export function isDrawnByRanges(openedAt: number, expiresAt: number): boolean {
  return expiresAt - openedAt > MAX_TICKS_DURATION_MS
}

async function loadTicks(id: string, from: number, signal: AbortSignal): Promise<Fetched> {
  const query = { from: Math.floor(from), account: getAccount() }
  const { from_ms, through_ms, ticks } = (await call('GET /user/trade/:id/ticks', { params: { id }, query, signal }))
    .data
  return { from: from_ms, through: through_ms, ticks: ticks.map(({ time_ms, price }) => ({ time: time_ms, price })) }
}

/** Loads the price range of each candle of a span. The result includes only candles made from all our ticks. */
export async function loadRanges(
  { productId, span }: Pick<Loaded, 'productId' | 'span'>,
  from: number,
  signal: AbortSignal,
): Promise<Fetched & { readonly ranges: readonly PriceRange[] }> {
  const fits = (interval: ChartInterval) => (span.through - span.from) / intervalMs(interval) < MAX_BARS - 1
  const interval = fits('1m') ? '1m' : fits('5m') ? '5m' : '30m'
  const stepMs = intervalMs(interval)
  const bars = await loadBars({ symbol: productId, interval, limit: MAX_BARS, before: span.through }, signal)
  const newest = bars.at(-1)
  const ranges = bars
    .filter(({ time, source, isPartial }) => time + stepMs > span.from && source === undefined && isPartial !== true)
    .map(({ time, low, high }) => ({ from: time, through: time + stepMs - 1, low, high }))
  // The last candle may still be open.
  return { from, through: Math.max(from, (newest?.time ?? from) - 1), ticks: [], ranges }
}
