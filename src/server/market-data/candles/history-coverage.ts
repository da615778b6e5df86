import type { Ctx } from '#server/platform/context/context.ts'
import {
  ALL_TIME,
  type Feed,
  type HistoryQuery,
  PartialHistory,
  type PastCandle,
  type Stretch,
} from '#server/market-data/feeds/base/feed.ts'

/**
 * Reads the feed's history. When the feed's source cannot be reached, returns only the candles that the feed can return
 * now, and calls `onPartial` with the times of the rest.
 */
export async function knownHistory(
  { log }: Pick<Ctx, 'log'>,
  feed: Feed,
  query: HistoryQuery,
  onPartial: (unknown: readonly Stretch[]) => void = () => {},
): Promise<PastCandle[]> {
  const { symbolId, interval, before, limit } = query
  try {
    return await feed.history({ symbolId, interval, before, limit })
  } catch (error) {
    onPartial(error instanceof PartialHistory ? error.unknown : ALL_TIME)
    if (error instanceof PartialHistory) return error.candles
    log.warn({ err: error, symbolId, interval }, 'no history from the feed')
    return []
  }
}
