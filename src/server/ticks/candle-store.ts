import type { Candle } from '#core/markets/candle.ts'
import { barOpenTime } from '#core/markets/candle.ts'
import type { Tick } from '#core/markets/tick.ts'
import { CHART_INTERVALS, type ChartInterval } from '#core/time/chart-interval.ts'
import { instant, type Instant } from '#core/time/instant.ts'
import type { Ctx } from '#server/context.ts'
import type { Feed, PastCandle } from '#server/feeds/feed.ts'
import { closedCandles, type ClosedCandle } from '#server/ticks/candle.queries.ts'
import { CandleSeries, mergeByTime } from '#server/ticks/candle-series.ts'
import type { CandleWriter } from '#server/ticks/candle-writer.ts'
import { knownPast } from '#server/ticks/known-past.ts'
import type { CandleQuery, ShownCandle } from '#server/ticks/ticks.ts'

/** Older candles kept per symbol and interval, from the first question on. Days are dear: a feed may have to fold them. */
const pageOf = (interval: ChartInterval): number => (interval === '1d' ? 500 : 1_000)

interface OlderPage {
  /** Everything the page holds opens before this. */
  readonly before: Instant
  readonly candles: readonly ShownCandle[]
  /** The page holds the very first candle there is. */
  readonly isWhole: boolean
}

/**
 * Candles of all intervals. Three sources make one series, newest first:
 *
 * - since this process began: folds of accepted ticks, in memory. The bar in which they begin starts from what the
 *   feed's history says of it;
 * - before: our own closed candles from the database;
 * - where there are none: the feed's history, never for a bar that began after our own ticks did. What has not been
 *   accepted as a tick is not shown as a candle.
 */
export class CandleStore {
  private readonly ctx: Ctx
  private readonly feed: Feed
  private readonly writer: CandleWriter
  private readonly onClosed: (closed: ClosedCandle) => void
  private readonly series = new Map<number, Record<ChartInterval, CandleSeries>>()
  private readonly older = new Map<string, Promise<OlderPage>>()
  private runStart: Instant
  /** Of symbols that came later. */
  private readonly ownStarts = new Map<number, Instant>()

  constructor(ctx: Ctx, feed: Feed, writer: CandleWriter, onClosed: (closed: ClosedCandle) => void) {
    this.ctx = ctx
    this.feed = feed
    this.writer = writer
    this.onClosed = onClosed
    this.runStart = ctx.now()
  }

  /** From now on bars that begin are our own alone. */
  beginRun(at: Instant): void {
    this.runStart = at
  }

  /** The same for a symbol that came later than the others. */
  beginRunOf(symbolId: number, at: Instant): void {
    this.ownStarts.set(symbolId, at)
  }

  of(symbolId: number): Record<ChartInterval, CandleSeries> {
    let found = this.series.get(symbolId)
    if (found === undefined) {
      found = {
        '1m': new CandleSeries('1m'),
        '5m': new CandleSeries('5m'),
        '30m': new CandleSeries('30m'),
        '1h': new CandleSeries('1h'),
        '1d': new CandleSeries('1d'),
      }
      this.series.set(symbolId, found)
    }
    return found
  }

  fold(tick: Tick): void {
    const all = this.of(tick.symbolId)
    for (const interval of CHART_INTERVALS) this.tellClosed(tick.symbolId, interval, all[interval].fold(tick))
  }

  /** Closes what can no longer change: no tick of the symbol before `time` will be accepted. */
  closeThrough(symbolId: number, time: Instant): void {
    const all = this.of(symbolId)
    for (const interval of CHART_INTERVALS) this.tellClosed(symbolId, interval, all[interval].closeThrough(time))
  }

  /** See `Ticks.shownCandles`. */
  async shown({ symbolId, interval, before, limit }: CandleQuery): Promise<ShownCandle[]> {
    const end = before ?? instant(Number.MAX_SAFE_INTEGER)
    const series = this.of(symbolId)[interval]
    const recent = [...series.closed, ...(series.open === null ? [] : [series.open])].map(asOwn)
    if (recent.length === 0) {
      const base = series.baseOf(end)
      if (base !== null) recent.push(this.asPast(base))
    }
    const wanted = recent.filter(({ candle }) => candle.openTime < end)
    if (wanted.length >= limit) return wanted.slice(-limit)
    const boundary = instant(Math.min(recent[0]?.candle.openTime ?? this.afterStart(symbolId, interval), end))
    const older = await this.olderThan({ symbolId, interval, before: boundary, limit: limit - wanted.length })
    return [...older, ...wanted].slice(-limit)
  }

  /** What was kept of a symbol's past is asked for anew. */
  forgetPast(symbolId: number, interval: ChartInterval): void {
    this.older.delete(`${symbolId}/${interval}`)
  }

  private async olderThan(query: Required<CandleQuery>): Promise<readonly ShownCandle[]> {
    const key = `${query.symbolId}/${query.interval}`
    const known = await this.older.get(key)
    const found = known === undefined ? null : cut(known, query)
    if (found !== null) return found
    // Far back pages are asked for once; only the newest page is kept.
    if (query.limit > pageOf(query.interval) || (known !== undefined && query.before < known.before))
      return await this.load(query)
    let loading: Promise<OlderPage> | null = null
    const forget = () => {
      if (this.older.get(key) === loading) this.older.delete(key)
    }
    loading = this.loadPage(query, forget)
    this.older.set(key, loading)
    return cut(await loading, query) ?? []
  }

  private async loadPage(query: Required<CandleQuery>, forget: () => void): Promise<OlderPage> {
    try {
      const limit = pageOf(query.interval)
      const candles = await this.load({ ...query, limit }, forget)
      return { before: query.before, candles, isWhole: candles.length < limit }
    } catch (error) {
      forget()
      throw error
    }
  }

  private async load(query: Required<CandleQuery>, onPartial = () => {}): Promise<readonly ShownCandle[]> {
    const before = instant(Math.min(query.before, this.afterStart(query.symbolId, query.interval)))
    const past = knownPast(this.ctx, this.feed, { ...query, before }, onPartial)
    const own = await closedCandles(this.ctx.db, query)
    const merged = mergeByTime(
      (await past).map((candle) => this.asPast(candle)),
      own.map(asOwn),
      ({ candle }) => candle.openTime,
    )
    return merged.slice(-query.limit)
  }

  private asPast(candle: PastCandle): ShownCandle {
    return { candle, source: candle.source ?? this.feed.name, isPartial: false }
  }

  /** The first bar after the one in which this process began. */
  private afterStart(symbolId: number, interval: ChartInterval): Instant {
    return barOpenTime(this.ownStarts.get(symbolId) ?? this.runStart, interval)
  }

  private tellClosed(symbolId: number, interval: ChartInterval, candle: Candle | null): void {
    if (candle === null) return
    const closed = { symbolId, interval, candle }
    this.writer.add(closed)
    this.onClosed(closed)
  }
}

function asOwn(candle: Candle): ShownCandle {
  return { candle, source: null, isPartial: false }
}

/** The part of a page that a query asks for; null when the page does not reach it. */
function cut(page: OlderPage, { before, limit }: Required<CandleQuery>): readonly ShownCandle[] | null {
  if (before > page.before) return null
  const inside = before === page.before ? page.candles : page.candles.filter(({ candle }) => candle.openTime < before)
  return inside.length >= limit || page.isWhole ? inside.slice(-limit) : null
}
