import type { Candle } from '#core/markets/candle.ts'
import { barOpenTime } from '#core/markets/candle.ts'
import type { Tick } from '#core/markets/tick.ts'
import { CHART_INTERVALS, type ChartInterval, intervalMs } from '#core/time/chart-interval.ts'
import { instant, later, type Instant } from '#core/time/instant.ts'
import type { Ctx } from '#server/context.ts'
import type { Feed, PastCandle } from '#server/feeds/feed.ts'
import { MOST_LATE_MS } from '#server/ticks/admission.ts'
import { closedCandles, type ClosedCandle } from '#server/ticks/candle.queries.ts'
import { CandleSeries, mergeByTime } from '#server/ticks/candle-series.ts'
import type { CandleWriter } from '#server/ticks/candle-writer.ts'
import { type Gap, gapsBetween } from '#server/ticks/gap.queries.ts'
import { type GapBook, isInGap } from '#server/ticks/gap-book.ts'
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
  /** The feed could not say all it will. */
  readonly isPartial: boolean
}

export interface CandleStoreParts {
  readonly ctx: Ctx
  readonly feed: Feed
  readonly writer: CandleWriter
  readonly gaps: GapBook
  readonly onClosed: (closed: ClosedCandle) => void
}

/**
 * Candles of all intervals. Three sources make one series, newest first:
 *
 * - since this process began: folds of accepted ticks, in memory. The bar in which they begin starts from what the
 *   feed's history says of it;
 * - before: our own closed candles from the database;
 * - where there are none: the feed's history. For a bar that began after our own ticks did only when it lies in a gap:
 *   what was not accepted as a tick is not shown as a candle, save where prices were missed, and then it is marked.
 */
export class CandleStore {
  private readonly ctx: Ctx
  private readonly feed: Feed
  private readonly gaps: GapBook
  private readonly writer: CandleWriter
  private readonly onClosed: (closed: ClosedCandle) => void
  private readonly series = new Map<number, Record<ChartInterval, CandleSeries>>()
  private readonly older = new Map<string, Promise<OlderPage>>()
  private runStart: Instant
  /** Of symbols that came later. */
  private readonly ownStarts = new Map<number, Instant>()

  constructor({ ctx, feed, writer, gaps, onClosed }: CandleStoreParts) {
    this.ctx = ctx
    this.gaps = gaps
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
  async shown({ symbolId, interval, before, limit }: CandleQuery, onPartial = () => {}): Promise<ShownCandle[]> {
    const end = before ?? instant(Number.MAX_SAFE_INTEGER)
    const recent = await this.sinceStart(symbolId, interval, end, limit)
    const wanted = recent.filter(({ candle }) => candle.openTime < end)
    if (wanted.length >= limit) return wanted.slice(-limit)
    const boundary = instant(Math.min(recent[0]?.candle.openTime ?? this.afterStart(symbolId, interval), end))
    const missing = { symbolId, interval, before: boundary, limit: limit - wanted.length }
    const older = await this.olderThan(missing, onPartial)
    return [...older, ...wanted].slice(-limit)
  }

  /** Folds of our own ticks, and what the feed's history says of closed bars in which we missed them all. */
  private async sinceStart(
    symbolId: number,
    interval: ChartInterval,
    end: Instant,
    limit: number,
  ): Promise<ShownCandle[]> {
    const series = this.of(symbolId)[interval]
    const folds = series.open === null ? [...series.closed] : [...series.closed, series.open]
    const gaps = this.gaps.of(symbolId)
    const own = this.asOwn(folds, interval, gaps)
    if (own.length === 0) {
      const base = series.baseOf(end)
      if (base !== null) own.push(this.asPast(base))
    }
    if (gaps.length === 0 || this.feed.storedHistory === undefined) return own
    const before = own.findLastIndex(({ candle }) => candle.openTime < end) + 1
    const first = own[Math.max(0, before - limit)]?.candle.openTime ?? 0
    const from = instant(before > limit ? first : this.afterStart(symbolId, interval))
    // A bar is filled only when no tick of its time can be accepted any more.
    const until = barOpenTime(later(this.ctx.now(), -MOST_LATE_MS), interval)
    if (!gaps.some((gap) => gap.until > from && gap.from < Math.min(until, end))) return own
    const known = await this.feed.storedHistory({ symbolId, interval, from, until })
    const filling = known.filter((candle) => isInGap(candle, intervalMs(interval), gaps))
    return mergeByTime(
      filling.map((candle) => this.asPast(candle)),
      own,
      ({ candle }) => candle.openTime,
    )
  }

  /** What was kept of a symbol's past is asked for anew. */
  forgetPast(symbolId: number, interval: ChartInterval): void {
    this.older.delete(`${symbolId}/${interval}`)
  }

  private async olderThan(query: Required<CandleQuery>, onPartial: () => void): Promise<readonly ShownCandle[]> {
    const key = `${query.symbolId}/${query.interval}`
    const known = await this.older.get(key)
    const found = known === undefined ? null : cut(known, query)
    if (found !== null) {
      if (known?.isPartial === true) onPartial()
      return found
    }
    // Far back pages are asked for once; only the newest page is kept.
    if (query.limit > pageOf(query.interval) || (known !== undefined && query.before < known.before))
      return await this.load(query, onPartial)
    let loading: Promise<OlderPage> | null = null
    const forget = () => {
      if (this.older.get(key) === loading) this.older.delete(key)
    }
    loading = this.loadPage(query, forget)
    this.older.set(key, loading)
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

  private async load(query: Required<CandleQuery>, onPartial: () => void): Promise<readonly ShownCandle[]> {
    const before = instant(Math.min(query.before, this.afterStart(query.symbolId, query.interval)))
    const past = knownPast(this.ctx, this.feed, { ...query, before }, onPartial)
    const own = await closedCandles(this.ctx.db, query)
    const gaps = await this.gapsOf(query, own)
    const merged = mergeByTime(
      (await past).map((candle) => this.asPast(candle)),
      this.asOwn(own, query.interval, gaps),
      ({ candle }) => candle.openTime,
    )
    return merged.slice(-query.limit)
  }

  private async gapsOf({ symbolId, interval }: Required<CandleQuery>, own: readonly Candle[]): Promise<Gap[]> {
    const [first, last] = [own[0], own.at(-1)]
    if (first === undefined || last === undefined) return []
    const stretch = { symbolId, from: first.openTime, until: later(last.openTime, intervalMs(interval)) }
    // One that was only just noticed may not be stored yet.
    return [...(await gapsBetween(this.ctx.db, stretch)), ...this.gaps.of(symbolId)]
  }

  private asOwn(candles: readonly Candle[], interval: ChartInterval, gaps: readonly Gap[]): ShownCandle[] {
    const length = intervalMs(interval)
    return candles.map((candle) => ({ candle, source: null, isPartial: isInGap(candle, length, gaps) }))
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

/** The part of a page that a query asks for; null when the page does not reach it. */
function cut(page: OlderPage, { before, limit }: Required<CandleQuery>): readonly ShownCandle[] | null {
  if (before > page.before) return null
  const inside = before === page.before ? page.candles : page.candles.filter(({ candle }) => candle.openTime < before)
  return inside.length >= limit || page.isWhole ? inside.slice(-limit) : null
}
