import type { MarketSymbol } from '#core/markets/market.ts'
import { CHART_INTERVALS, type ChartInterval, intervalMs } from '#core/time/chart-interval.ts'
import { instant, type Instant } from '#core/time/instant.ts'
import type { Ctx } from '#server/platform/context/context.ts'
import { PAST_BEGINS } from '#server/market-data/feeds/base/day-by-day.ts'
import type { QuerySources, PastSource } from '#server/market-data/feeds/multi-source/history/query-sources.ts'
import { keepStart, storedFirstBar } from '#server/market-data/feeds/multi-source/history/provider-candles.queries.ts'
import {
  PartialBars,
  type ProviderCandleQuery,
  type ProviderHistory,
} from '#server/market-data/feeds/providers/provider.ts'

/** Finds the beginning of a symbol's history, by the longest bars its source has. */
export interface StartFinder {
  /** The beginning found earlier, without querying a source. */
  known(symbol: MarketSymbol): Promise<Instant | null>
  /** Null when no source can reply now. */
  find(symbol: MarketSymbol): Promise<Instant | null>
}

export function createStartFinder({
  ctx,
  ask,
}: {
  readonly ctx: Pick<Ctx, 'db' | 'now'>
  readonly ask: QuerySources
}): StartFinder {
  const starts = new Map<number, Instant | null>()

  async function known({ id }: MarketSymbol): Promise<Instant | null> {
    const found = starts.get(id)
    if (found !== undefined) return found
    const stored = await storedFirstBar(ctx.db, id)
    starts.set(id, stored)
    return stored
  }
  return {
    known,
    async find(symbol) {
      const stored = await known(symbol)
      if (stored !== null) return stored
      const found = await ask(symbol, async (source) => ({
        first: await firstBar(source, ctx.now()),
        source: source.provider,
      }))
      if (found === 'failed') return null
      // All sources refuse to return bars, so the history begins now.
      if (found === 'refused') return ctx.now()
      await keepStart(ctx.db, symbol.id, { ...found.value, at: ctx.now() })
      starts.set(symbol.id, found.value.first)
      return found.value.first
    },
  }
}

/** Pages back with the longest bars until there are none. */
async function firstBar({ history, symbol }: PastSource, now: Instant): Promise<Instant> {
  const interval: ChartInterval = CHART_INTERVALS.findLast((one) => history.intervals.includes(one)) ?? '1m'
  const step = history.maxBars * intervalMs(interval)
  let first = now
  for (let before = now; before > PAST_BEGINS; before = instant(before - step)) {
    const from = instant(Math.max(PAST_BEGINS, before - step))
    const oldest = await oldestBar(history, { symbol, interval, from, before })
    if (oldest === null) break
    first = oldest
  }
  // The source's bars may begin at other times than ours. So the history is taken to begin one bar earlier.
  return instant(first - intervalMs(interval))
}

/**
 * Returns the opening of the oldest bar; null when there is none. An invalid bar counts, because the source had a bar
 * at that time.
 */
async function oldestBar(history: ProviderHistory, query: ProviderCandleQuery): Promise<Instant | null> {
  try {
    return (await history.candles(query))[0]?.openTime ?? null
  } catch (error) {
    if (!(error instanceof PartialBars)) throw error
    const times = [...error.unread, ...error.bars.map(({ openTime }) => openTime)]
    return instant(Math.min(...times))
  }
}
