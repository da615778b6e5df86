import type { Candle } from '#core/markets/candle.ts'
import { type ChartInterval, intervalMs } from '#core/time/chart-interval.ts'
import { instant, type Instant } from '#core/time/instant.ts'
import type { CandleQuery, Ticks } from '#server/market-data/ticks.ts'

/** The number of bars that one step reads. */
const BARS_AT_ONCE = 1_000
/** The maximum number of steps, for candles that are far apart. A reply with fewer candles than wanted is no end. */
const MAX_STEPS = 6

export interface FirstCandlesQuery {
  readonly symbolId: number
  readonly interval: ChartInterval
  readonly from: Instant
  /** The end of the range, exclusive. */
  readonly until: Instant
  readonly limit: number
}

type Source = Pick<Ticks, 'shownCandles'>

/** Returns the newest candles before a time. Null when a source did not return all of them, so that a later call may. */
export async function wholeCandles(ticks: Source, query: CandleQuery): Promise<Candle[] | null> {
  let isWhole = true
  const shown = await ticks.shownCandles(query, () => (isWhole = false))
  return isWhole ? shown.map(({ candle }) => candle) : null
}

/**
 * Returns the first candles of a time range, ascending. Times without candles do not end the search. It ends before
 * candles that a source did not return, because a program that continues after the last candle of a reply would never
 * ask for them. Null when these are the first candles.
 */
export async function firstCandles(ticks: Source, query: FirstCandlesQuery): Promise<Candle[] | null> {
  const { symbolId, interval, from, until, limit } = query
  const reachMs = BARS_AT_ONCE * intervalMs(interval)
  const found: Candle[] = []
  let begin = from
  for (let step = 0; step < MAX_STEPS && begin < until && found.length < limit; step += 1) {
    const before = instant(Math.min(begin + reachMs, until))
    const candles = await wholeCandles(ticks, { symbolId, interval, before, limit: BARS_AT_ONCE })
    const inside = candles?.filter(({ openTime }) => openTime >= begin)
    found.push(...(inside ?? []))
    const next = inside?.length === 0 ? await nextCandles(ticks, { ...query, from: before }, reachMs) : before
    if (inside === undefined || next === null) return found.length === 0 ? null : found
    begin = next
  }
  return found.slice(0, limit)
}

/**
 * Returns the begin of a time of at most `reachMs` that contains the first candle of a range, or the end of the range
 * when it has no candle. Halves the range, so that even decades without candles take few steps. Null when a source did
 * not reply.
 */
async function nextCandles(ticks: Source, query: FirstCandlesQuery, reachMs: number): Promise<Instant | null> {
  const { symbolId, interval, from, until } = query
  const newest = async (before: Instant) => {
    const candles = await wholeCandles(ticks, { symbolId, interval, before, limit: 1 })
    if (candles === null) return null
    return candles.find(({ openTime }) => openTime >= from)?.openTime ?? 'none'
  }
  const last = await newest(until)
  if (last === 'none' || last === null) return last && until
  let low = from
  let high = last
  while (high - low >= reachMs) {
    const middle = instant(Math.floor((low + high) / 2))
    const earlier = await newest(middle)
    if (earlier === null) return null
    if (earlier === 'none') low = middle
    else high = earlier
  }
  return low
}
