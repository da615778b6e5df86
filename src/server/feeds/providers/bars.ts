import { intervalMs } from '#core/time/chart-interval.ts'
import { type Instant, instant } from '#core/time/instant.ts'
import { plainDecimal, plainPrice, plainTime } from '#server/feeds/providers/exact-json.ts'
import { type ProviderCandle, type ProviderCandleQuery, ProviderError } from '#server/feeds/providers/provider.ts'

/** A bar as it was told; nothing of it is known to make sense. */
export type BarFields = { readonly [name in keyof ProviderCandle]: unknown }

/** Clocks differ: a bar counts as closed only when its end is so long ago. */
const CLOSED_SINCE_MS = 5_000

/**
 * The closed bars that were asked for, out of those that were told, ascending. Throws a `ProviderError` when one makes no
 * sense: then none of them is to be trusted.
 */
export function soundBars(told: readonly BarFields[], query: ProviderCandleQuery, now: Instant): ProviderCandle[] {
  const { interval, from, before } = query
  const length = intervalMs(interval)
  const bars = told.map((fields) => soundBar(fields, length)).toSorted((a, b) => a.openTime - b.openTime)
  if (bars.some(({ openTime }, at) => openTime === bars[at - 1]?.openTime)) throw senseless('two bars of one time')
  const closedBefore = now - CLOSED_SINCE_MS
  return bars.filter(({ openTime }) => openTime >= from && openTime < before && openTime + length <= closedBefore)
}

function soundBar(fields: BarFields, length: number): ProviderCandle {
  const openTime = plainTime(fields.openTime)
  const open = plainPrice(fields.open)
  const high = plainPrice(fields.high)
  const low = plainPrice(fields.low)
  const close = plainPrice(fields.close)
  const volume = plainDecimal(fields.volume)
  if (openTime === null || open === null || high === null || low === null || close === null || volume === null)
    throw senseless('a bar with fields that make no sense')
  if (openTime % length !== 0) throw senseless('a bar that begins in between')
  const highest = Math.max(Number(open), Number(close))
  const lowest = Math.min(Number(open), Number(close))
  if (Number(high) < highest || Number(low) > lowest) throw senseless('a bar whose prices contradict each other')
  return { openTime: instant(openTime), open, high, low, close, volume }
}

function senseless(what: string): ProviderError {
  return new ProviderError(`it answered with ${what}`, { retry: true })
}
