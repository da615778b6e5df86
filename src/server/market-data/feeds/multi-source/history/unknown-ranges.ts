import { intervalMs } from '#core/time/chart-interval.ts'
import { instant, type Instant } from '#core/time/instant.ts'
import type { Ctx } from '#server/platform/context/context.ts'
import type { Stretch } from '#server/market-data/feeds/base/feed.ts'
import { beginOf, closedUntil, type Reach } from '#server/market-data/feeds/multi-source/history/backward-paging.ts'
import {
  countStored,
  storedFirstBar,
  stretchBefore,
} from '#server/market-data/feeds/multi-source/history/provider-candles.queries.ts'

/**
 * Finds the times of a page for which no source has returned bars yet, newest first. No source is queried: a server
 * that does not lead the feed reads the bars that the leader has stored, and has to know which of them are complete.
 */
export async function unknownRanges(
  { db, now }: Pick<Ctx, 'db' | 'now'>,
  { symbol, interval, before, bars }: Reach,
): Promise<Stretch[]> {
  const length = intervalMs(interval)
  const begin = beginOf(await storedFirstBar(db, symbol.id), length)
  const unknown: Stretch[] = []
  let end: Instant = instant(Math.min(Math.ceil(before / length) * length, closedUntil(interval, now())))
  for (let missing = bars; missing > 0 && end > begin; ) {
    const known = await stretchBefore(db, symbol.id, interval, end)
    const until = instant(Math.max(begin, Math.min(end, known?.until ?? begin)))
    if (until < end) unknown.push({ from: until, until: end })
    if (known === null) break
    missing -= await countStored(db, { symbolId: symbol.id, interval, from: known.from, until }, missing)
    end = known.from
  }
  return unknown
}
