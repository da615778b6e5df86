import type { Candle } from '#core/markets/candle.ts'
import { type ChartInterval, intervalMs } from '#core/time/chart-interval.ts'
import { instant, type Instant } from '#core/time/instant.ts'
import type { Ctx } from '#server/platform/context/context.ts'
import { closedCandles } from '#server/market-data/candles/candle.queries.ts'
import { chooseCandles } from '#server/market-data/candles/choose-candles.ts'
import { knownHistory } from '#server/market-data/candles/history-coverage.ts'
import type { Feed, Stretch } from '#server/market-data/feeds/base/feed.ts'
import type { LogCoverage } from '#server/market-data/tick-log/log-coverage.ts'
import { holesBetween } from '#server/market-data/tick-log/tick-hole.queries.ts'
import type { CandleQuery, ShownCandle } from '#server/market-data/ticks.ts'

/**
 * The number of older candles kept per symbol and interval after the first request. For days the number is smaller,
 * because a feed may have to fold each daily candle.
 */
const pageOf = (interval: ChartInterval): number => (interval === '1d' ? 500 : 1_000)
/** The maximum number of queries to complete a page whose bars are not our own candles. */
const MAX_ROUNDS = 20
interface OlderPage {
  /** All candles of the page open before this. */
  readonly before: Instant
  readonly candles: readonly ShownCandle[]
  /** Whether the page contains the first candle that exists. */
  readonly isWhole: boolean
  /** Whether the feed could not return everything yet. */
  readonly isPartial: boolean
}

export interface OlderCandlesParts {
  readonly ctx: Ctx
  readonly feed: Feed
  readonly coverage: LogCoverage
}

/** Candles from before this process began: our own from the database, others from the feed's history. Caches the newest page. */
export class OlderCandles {
  private readonly ctx: Ctx
  private readonly feed: Feed
  private readonly coverage: LogCoverage
  private readonly pages = new Map<string, Promise<OlderPage>>()

  constructor({ ctx, feed, coverage }: OlderCandlesParts) {
    this.ctx = ctx
    this.feed = feed
    this.coverage = coverage
  }

  /** Drops the cached page. */
  forget(symbolId: number, interval: ChartInterval): void {
    this.pages.delete(`${symbolId}/${interval}`)
  }

  /** Returns candles from the cached page, or loads them. `onPartial` is called when a later call may return more. */
  async find(query: Required<CandleQuery>, onPartial: () => void): Promise<readonly ShownCandle[]> {
    const key = `${query.symbolId}/${query.interval}`
    const known = await this.pages.get(key)
    const found = known === undefined ? null : cut(known, query)
    if (found !== null) {
      if (known?.isPartial === true) onPartial()
      return found
    }
    // Only the newest page is cached. When the clock was set back, a page may end in the future. Such a page is not
    // cached, because its bars may be open.
    const isFarBack = query.limit > pageOf(query.interval) || (known !== undefined && query.before < known.before)
    if (isFarBack || query.before > this.ctx.now()) return await this.load(query, onPartial)
    let loading: Promise<OlderPage> | null = null
    const forget = () => {
      if (this.pages.get(key) === loading) this.pages.delete(key)
    }
    loading = this.loadPage(query, forget)
    this.pages.set(key, loading)
    const page = await loading
    if (page.isPartial) onPartial()
    return cut(page, query) ?? []
  }

  private async loadPage(query: Required<CandleQuery>, forget: () => void): Promise<OlderPage> {
    try {
      const limit = pageOf(query.interval)
      let isPartial = false
      const candles = await this.load({ ...query, limit }, () => {
        isPartial = true
        forget()
      })
      return { before: query.before, candles, isWhole: candles.length < limit, isPartial }
    } catch (error) {
      forget()
      throw error
    }
  }

  /** Loads candles without the cache. */
  async load(query: Required<CandleQuery>, onPartial: () => void): Promise<readonly ShownCandle[]> {
    const { symbolId, interval, limit } = query
    let found: readonly ShownCandle[] = []
    let { before } = query
    for (let round = 0; round < MAX_ROUNDS; round += 1) {
      const pageQuery = { symbolId, interval, before, limit }
      let unknown: readonly Stretch[] = []
      const [past, own] = await Promise.all([
        knownHistory(this.ctx, this.feed, pageQuery, (ranges) => {
          unknown = ranges
        }),
        closedCandles(this.ctx.db, pageQuery),
      ])
      // A list with `limit` candles may lack older ones. So only bars from its oldest candle on can be chosen.
      const from = Math.max(
        past.length < limit ? 0 : (past[0]?.openTime ?? 0),
        own.length < limit ? 0 : (own[0]?.openTime ?? 0),
      )
      const holes = await this.holesOf({ symbolId, from: instant(from), until: before })
      // Only bars in a hole come from the history. Our own candles of other times are complete without it.
      const isMissing = (range: Stretch) =>
        range.until > from && holes.some((hole) => hole.from < range.until && hole.until > Math.max(range.from, from))
      if (unknown.some(isMissing)) onPartial()
      const isKnown = ({ openTime }: Candle) => openTime >= from
      const chosen = chooseCandles({
        own: own.filter(isKnown),
        past: past.filter(isKnown),
        holes,
        lengthMs: intervalMs(interval),
        feedName: this.feed.name,
      })
      found = [...chosen, ...found]
      if (found.length >= limit || from === 0) break
      before = instant(from)
    }
    return found.slice(-limit)
  }

  private async holesOf(stretch: { symbolId: number; from: Instant; until: Instant }) {
    const stored = await holesBetween(this.ctx.db, stretch)
    // Adds the holes in memory. A hole that was just found may not be stored yet, and a hole that still lasts is never
    // stored.
    return [...stored, ...this.coverage.of(stretch.symbolId)].toSorted((a, b) => a.from - b.from)
  }
}

/** The part of a page that a query requests. Null when the page does not cover the query. */
function cut(page: OlderPage, { before, limit }: Required<CandleQuery>): readonly ShownCandle[] | null {
  if (before > page.before) return null
  const inside = before === page.before ? page.candles : page.candles.filter(({ candle }) => candle.openTime < before)
  return inside.length >= limit || page.isWhole ? inside.slice(-limit) : null
}
