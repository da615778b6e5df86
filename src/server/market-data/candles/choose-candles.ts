import type { Candle } from '#core/markets/candle.ts'
import type { Instant } from '#core/time/instant.ts'
import type { PastCandle } from '#server/market-data/feeds/base/feed.ts'
import type { TickHole } from '#server/market-data/tick-log/tick-hole.queries.ts'
import type { ShownCandle } from '#server/market-data/ticks.ts'

export interface CandleSources {
  /** Candles folded from our own ticks, ascending. */
  readonly own: readonly Candle[]
  /** Candles of the feed's history for the same time, ascending. */
  readonly past: readonly PastCandle[]
  /** The times in which the tick log may lack prices, ascending. */
  readonly holes: readonly TickHole[]
  readonly lengthMs: number
  /** The feed's name, which is the source of bars of the history that name none. */
  readonly feedName: string
}

/**
 * Decides which candle is used for each bar. This is the only definition:
 *
 * - a bar that no hole of the log overlaps is folded from its ticks, and has no candle without a tick;
 * - any other bar comes from the history, even if we saw part of it;
 * - a bar that the history does not know is folded from our ticks, marked as partial.
 */
export function chooseCandles({ own, past, holes, lengthMs, feedName }: CandleSources): ShownCandle[] {
  const isInHole = holeLookup(holes, lengthMs)
  const chosen: ShownCandle[] = []
  let next = 0
  const takePast = (until: number): PastCandle | null => {
    for (let bar = past[next]; bar !== undefined && bar.openTime <= until; bar = past[next]) {
      next += 1
      if (!isInHole(bar.openTime)) continue
      if (bar.openTime === until) return bar
      chosen.push({ candle: bar, source: bar.source ?? feedName, isPartial: false })
    }
    return null
  }
  for (const candle of own) {
    const known = takePast(candle.openTime)
    if (known !== null) chosen.push({ candle: known, source: known.source ?? feedName, isPartial: false })
    else chosen.push({ candle, source: null, isPartial: isInHole(candle.openTime) })
  }
  takePast(Number.POSITIVE_INFINITY)
  return chosen
}

/** Whether a hole overlaps the bar that opens then. */
export function isInHole(openTime: Instant, lengthMs: number, holes: readonly TickHole[]): boolean {
  return holes.some(({ from, until }) => from < openTime + lengthMs && until > openTime)
}

/**
 * Creates a function that tells whether a hole overlaps a bar. The function uses a binary search, because a log of
 * several years may have many holes.
 */
function holeLookup(holes: readonly TickHole[], lengthMs: number): (openTime: Instant) => boolean {
  // Holes may overlap, so each entry is the latest end of this hole and all holes before it.
  const ends: number[] = []
  for (const { until } of holes) ends.push(Math.max(until, ends.at(-1) ?? 0))
  return (openTime) => {
    let [low, high] = [0, holes.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if ((holes[middle]?.from ?? 0) < openTime + lengthMs) low = middle + 1
      else high = middle
    }
    return low > 0 && (ends[low - 1] ?? 0) > openTime
  }
}
