import type { Candle } from '#core/markets/candle.ts'
import { barOpenTime } from '#core/markets/candle.ts'
import type { MarketSymbol } from '#core/markets/market.ts'
import { type ChartInterval, intervalMs } from '#core/time/chart-interval.ts'
import { instant, type Instant, later } from '#core/time/instant.ts'
import type { Ctx } from '#server/platform/context/context.ts'
import { PAST_BEGINS } from '#server/market-data/feeds/base/day-by-day.ts'
import type { HistoryRange, Stretch } from '#server/market-data/feeds/base/feed.ts'
import type { QuerySources, PastSource } from '#server/market-data/feeds/multi-source/history/query-sources.ts'
import { createStartFinder } from '#server/market-data/feeds/multi-source/history/find-first-bar.ts'
import {
  countStored,
  keepStretch,
  stretchBefore,
} from '#server/market-data/feeds/multi-source/history/provider-candles.queries.ts'
import { areAligned, intervalToAsk, readBars } from '#server/market-data/feeds/multi-source/history/read-bars.ts'
import { PartialBars, type ProviderCandle, ProviderError } from '#server/market-data/feeds/providers/provider.ts'
import { createSessionLookup } from '#server/market-data/feeds/base/session-lookup.ts'

/** 10 s: a bar counts as closed only this long after its end, because a source's clock may differ from ours. */
const CLOSED_SINCE_MS = 10_000
/** Maximum calls per request, so that a page far back cannot occupy a source for minutes. */
const MAX_CALLS = 60

export interface Reach {
  readonly symbol: MarketSymbol
  readonly interval: ChartInterval
  /** Bars that open before this. */
  readonly before: Instant
  readonly bars: number
}

/** `done`: stored, or there are no more bars. `failed`: a later attempt may find more. */
export type Reached = 'done' | 'failed'

export interface BackwardPagingParts {
  readonly ctx: Pick<Ctx, 'db' | 'now' | 'log'>
  readonly ask: QuerySources
  /** Returns false when no more queries may be sent to the sources. A running request then returns `failed`. */
  readonly goesOn: () => boolean
  /** Called with every range that was stored. */
  readonly onStored: (stretch: HistoryRange) => void
}

/** The opening of the first bar that may still be open. */
export function closedUntil(interval: ChartInterval, now: Instant): Instant {
  return barOpenTime(instant(now - CLOSED_SINCE_MS), interval)
}

/** The opening of the first bar of a history with this beginning. */
export function beginOf(start: Instant | null, length: number): Instant {
  return start === null ? PAST_BEGINS : instant(Math.max(PAST_BEGINS, Math.floor(start / length) * length))
}

/** The time at which a bar with this end counts as closed. */
export function closedAt(end: Instant): Instant {
  return later(end, CLOSED_SINCE_MS)
}

/**
 * Ensures that the newest `bars` bars before an instant are stored. Requests ranges that were never requested, newest
 * first, in the largest steps the source allows. A range is requested only once.
 */
export function createBackwardPaging({
  ctx,
  ask,
  goesOn,
  onStored,
}: BackwardPagingParts): (reach: Reach) => Promise<Reached> {
  const { db } = ctx
  const starts = createStartFinder({ ctx, ask })

  return async ({ symbol, interval, before, bars }) => {
    const place = { symbolId: symbol.id, interval }
    const length = intervalMs(interval)
    let end: Instant = instant(Math.min(Math.ceil(before / length) * length, closedUntil(interval, ctx.now())))
    // Includes the bar in which the history begins.
    let begin = beginOf(await starts.known(symbol), length)
    let missing = bars
    let isWhole = true
    for (let calls = 0; missing > 0 && end > begin; ) {
      const known = await stretchBefore(db, symbol.id, interval, end)
      if (known !== null && known.until >= end) {
        missing -= await countStored(db, { ...place, from: known.from, until: end }, missing)
        end = known.from
        continue
      }
      const from = instant(Math.max(begin, known?.until ?? begin))
      if (calls === MAX_CALLS || !goesOn()) return 'failed'
      calls += 1
      const got = await ask(symbol, (source) => fetchBars(source, symbol, interval, { from, until: end }))
      if (got === 'failed') {
        if (known === null || known.until < from) return 'failed'
        // No source returns the bars between two known ranges now. The older range is read nevertheless.
        isWhole = false
        end = from
        continue
      }
      // All sources refuse to return bars, so the history ends at the stored bars.
      if (got === 'refused') return 'done'
      const { candles, source, unread } = got.value
      for (const stretch of stretchesBetween(unread, { from: got.value.from, until: end }, length)) {
        const own = candles.filter(({ openTime }) => openTime >= stretch.from && openTime < stretch.until)
        await keepStretch(db, { ...place, ...stretch }, { candles: own, source, at: ctx.now() })
        onStored({ ...place, ...stretch })
      }
      if (unread.length > 0) isWhole = false
      missing -= candles.length
      end = got.value.from
      if (candles.length > 0 || missing <= 0) continue
      // A long range without bars: find the beginning of the history before continuing step by step.
      const start = await starts.find(symbol)
      if (start === null) return 'failed'
      begin = beginOf(start, length)
    }
    return isWhole ? 'done' : 'failed'
  }
}

interface Fetched {
  readonly from: Instant
  readonly candles: Candle[]
  readonly source: string
  /** Openings of invalid bars. They stay unknown and will be requested again. */
  readonly unread: readonly Instant[]
}

/** The known parts of a range, which lie between the unread bars. */
function stretchesBetween(unread: readonly Instant[], { from, until }: Stretch, length: number): Stretch[] {
  const ends = [...unread.map((openTime) => Math.floor(openTime / length) * length), until]
  const begins = [from, ...ends.map((end) => Math.max(from, end + length))]
  return ends.flatMap((end, nth) => {
    const begin = begins[nth] ?? end
    return begin < end ? [{ from: instant(begin), until: instant(Math.min(end, until)) }] : []
  })
}

/** Requests the newest part of a range that a source can return in one call. */
async function fetchBars(
  source: PastSource,
  symbol: MarketSymbol,
  interval: ChartInterval,
  { from: earliest, until }: { readonly from: Instant; readonly until: Instant },
): Promise<Fetched> {
  for (;;) {
    const sourceInterval = intervalToAsk(symbol.marketType, interval, (one) => source.offers(one))
    if (sourceInterval === null)
      throw new ProviderError(`has no bars of which ${interval} could be made`, { retry: false })
    const barsInCall = Math.floor((source.history.maxBars * intervalMs(sourceInterval)) / intervalMs(interval))
    const from = instant(Math.max(earliest, until - Math.max(1, barsInCall) * intervalMs(interval)))
    const { bars, unread } = await openHours(source, symbol, sourceInterval, { from, until })
    if (!areAligned(bars, sourceInterval)) source.misaligned(sourceInterval)
    else {
      // A folded bar is known when all its parts are.
      const isKnown = ({ openTime }: Candle) =>
        !unread.some((at) => at >= openTime && at < openTime + intervalMs(interval))
      const candles = readBars(bars, symbol, sourceInterval, interval).filter(isKnown)
      return { from, candles, source: source.provider, unread }
    }
  }
}

interface Answered {
  readonly bars: readonly ProviderCandle[]
  readonly unread: readonly Instant[]
}

/** The parts of the range in which the market was open. Closed hours are never requested. */
async function openHours(
  source: PastSource,
  { marketType }: MarketSymbol,
  interval: ChartInterval,
  { from, until }: { readonly from: Instant; readonly until: Instant },
): Promise<Answered> {
  if (createSessionLookup(marketType)(from).open >= until) return { bars: [], unread: [] }
  const isInRange = (at: Instant) => at >= from && at < until
  const query = { symbol: source.symbol, interval, from, before: until }
  const { bars, unread } = await source.history.candles(query).then(
    (allBars): Answered => ({ bars: allBars, unread: [] }),
    (error: unknown): Answered => {
      // When no bar of a reply can be read, the next source is queried.
      if (error instanceof PartialBars && error.bars.length > 0) return error
      throw error
    },
  )
  return { bars: bars.filter(({ openTime }) => isInRange(openTime)), unread: unread.filter(isInRange) }
}
