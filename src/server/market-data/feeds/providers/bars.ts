import { intervalMs } from '#core/time/chart-interval.ts'
import { type Instant, instant } from '#core/time/instant.ts'
import { plainDecimal, plainPrice } from '#server/market-data/feeds/providers/exact-json.ts'
import { readTime } from '#server/market-data/feeds/providers/provider-time.ts'
import {
  PartialBars,
  type ProviderCandle,
  type ProviderCandleQuery,
  ProviderError,
} from '#server/market-data/feeds/providers/provider.ts'

/** A bar as reported, not yet validated. */
export type BarFields = { readonly [name in keyof ProviderCandle]: unknown }

/** 5 s: clocks differ, so a bar counts as closed only this long after its end. */
const CLOSED_SINCE_MS = 5_000

/**
 * Selects the requested closed bars from a reply, ascending. Throws `PartialBars` when one of them is invalid: the
 * error contains the valid bars and the openings of the bars that stay unknown. A bar missing from a valid reply had no
 * trade.
 */
export function soundBars(rows: readonly BarFields[], query: ProviderCandleQuery, now: Instant): ProviderCandle[] {
  const { interval, from, before } = query
  const length = intervalMs(interval)
  const closedBefore = now - CLOSED_SINCE_MS
  const isRequested = (openTime: number) => openTime >= from && openTime < before && openTime + length <= closedBefore
  const bars = new Map<number, ProviderCandle>()
  const unread = new Set<number>()
  let unplaced = 0
  let between = 0
  for (const fields of rows) {
    const openTime = readTime(fields.openTime)
    if (openTime === null) unplaced += 1
    else if (openTime % length !== 0) between += 1
    else if (isRequested(openTime)) {
      const bar = soundBar(openTime, fields)
      if (bar === null || (bars.has(openTime) && !isSame(bar, bars.get(openTime)))) unread.add(openTime)
      else bars.set(openTime, bar)
    }
  }
  // Some bars of a shorter interval begin at our openings, but at least half of them begin in between.
  if (between > 0 && between * 2 >= rows.length)
    throw new ProviderError('the reply contains bars of another interval', { retry: true })
  for (const openTime of unread) bars.delete(openTime)
  if (unplaced + between > 0) {
    // A bar with an invalid opening may be any of the missing bars, so all missing bars are unknown.
    const first = Math.ceil(from / length) * length
    for (let at = first; isRequested(at); at += length) if (!bars.has(at)) unread.add(at)
  }
  const sound = [...bars.values()].toSorted((a, b) => a.openTime - b.openTime)
  if (unread.size > 0) throw new PartialBars(sound, [...unread].toSorted((a, b) => a - b).map(instant))
  return sound
}

function soundBar(openTime: Instant, fields: BarFields): ProviderCandle | null {
  const open = plainPrice(fields.open)
  const high = plainPrice(fields.high)
  const low = plainPrice(fields.low)
  const close = plainPrice(fields.close)
  const volume = plainDecimal(fields.volume)
  if (open === null || high === null || low === null || close === null || volume === null) return null
  const highest = Math.max(Number(open), Number(close))
  const lowest = Math.min(Number(open), Number(close))
  if (Number(high) < highest || Number(low) > lowest) return null
  return { openTime, open, high, low, close, volume }
}

function isSame(one: ProviderCandle, other: ProviderCandle | undefined): boolean {
  return JSON.stringify(one) === JSON.stringify(other)
}
