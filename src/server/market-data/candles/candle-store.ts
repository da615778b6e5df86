import type { Candle } from '#core/markets/candle.ts'
import { barOpenTime, foldCandles } from '#core/markets/candle.ts'
import type { Tick } from '#core/markets/tick.ts'
import { CHART_INTERVALS, type ChartInterval, intervalMs } from '#core/time/chart-interval.ts'
import { instant, type Instant } from '#core/time/instant.ts'
import type { Ctx } from '#server/platform/context/context.ts'
import type { Feed, PastCandle } from '#server/market-data/feeds/base/feed.ts'
import { CandleSeries, type Finished } from '#server/market-data/candles/candle-series.ts'
import type { CandleWriter } from '#server/market-data/candles/candle-writer.ts'
import { chooseCandles, isInHole } from '#server/market-data/candles/choose-candles.ts'
import { OlderCandles } from '#server/market-data/candles/older-candles.ts'
import { knownHistory } from '#server/market-data/candles/history-coverage.ts'
import type { LogCoverage } from '#server/market-data/tick-log/log-coverage.ts'
import type { CandleQuery, ShownCandle, ClosedCandle } from '#server/market-data/ticks.ts'

/** 300 five-minute bars: a little more than one day, which has 288. */
const DAY_BARS = 300
const LENGTH_5M = intervalMs('5m')

interface Stretch {
  readonly from: Instant
  readonly until: Instant
}

export interface CandleStoreParts {
  readonly ctx: Ctx
  readonly feed: Feed
  readonly writer: CandleWriter
  readonly coverage: LogCoverage
  /** Called with each closed candle as it was shown, and whether it is complete. */
  readonly onClosed: (closed: ClosedCandle, isWhole: boolean) => void
}

/**
 * Candles of all intervals. They come from our own ticks (in memory since this process began, before that in the database) and from the
 * feed's history. `choose-candles.ts` decides which candle is used for a bar.
 */
export class CandleStore {
  private readonly ctx: Ctx
  private readonly feed: Feed
  private readonly coverage: LogCoverage
  private readonly writer: CandleWriter
  private readonly onClosed: CandleStoreParts['onClosed']
  private readonly series = new Map<number, Record<ChartInterval, CandleSeries>>()
  private readonly older: OlderCandles
  private readonly recentPast = new Map<string, Stretch & { readonly bars: Promise<readonly PastCandle[]> }>()

  constructor({ ctx, feed, writer, coverage, onClosed }: CandleStoreParts) {
    this.ctx = ctx
    this.feed = feed
    this.writer = writer
    this.coverage = coverage
    this.onClosed = onClosed
    this.older = new OlderCandles({ ctx, feed, coverage })
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

  /** Closes candles that can no longer change: no tick of the symbol before `time` will be accepted. */
  closeThrough(symbolId: number, time: Instant): void {
    const all = this.of(symbolId)
    for (const interval of CHART_INTERVALS) this.tellClosed(symbolId, interval, all[interval].closeThrough(time))
  }

  /** Whether an open candle of a symbol had ended by this time. */
  hasEnded(symbolId: number, time: Instant): boolean {
    return CHART_INTERVALS.some((interval) => {
      const series = this.of(symbolId)[interval]
      return series.open !== null && series.end(series.open) <= time
    })
  }

  /** Drops closed candles of the symbol from memory, because all are stored. */
  forgetClosed(symbolId: number): void {
    for (const interval of CHART_INTERVALS) this.of(symbolId)[interval].forgetClosed(this.ctx.now())
  }

  /** See `Ticks.shownCandles`. */
  async shown({ symbolId, interval, before, limit }: CandleQuery, onPartial = () => {}): Promise<ShownCandle[]> {
    const length = intervalMs(interval)
    // A feed returns only the part of a bar that lies before `before`. So `before` is raised to the end of the last
    // requested bar.
    const end = instant(before === undefined ? Number.MAX_SAFE_INTEGER : Math.ceil(before / length) * length)
    const query = { symbolId, interval, before: end, limit }
    const recent = await this.recent(query)
    if (recent.length >= limit) return recent.slice(-limit)
    const boundary = instant(Math.min(this.of(symbolId)[interval].since, end))
    const older = await this.older.find({ ...query, before: boundary, limit: limit - recent.length }, onPartial)
    return [...older, ...recent]
  }

  /**
   * Completes the open bars that our own ticks do not cover with all other known data up to now. `ticksSince` returns
   * the ticks to add after these data. Returns the closed five-minute bars of the last day.
   */
  async complete(symbolId: number, ticksSince: (from: Instant) => readonly Tick[]): Promise<readonly Candle[]> {
    const all = this.of(symbolId)
    for (;;) {
      const now = this.ctx.now()
      const [minute, five] = [barOpenTime(now, '1m'), barOpenTime(now, '5m')]
      const fives = await this.newest({ symbolId, interval: '5m', before: five, limit: DAY_BARS })
      const minutes = await this.newest({
        symbolId,
        interval: '1m',
        before: minute,
        limit: LENGTH_5M / intervalMs('1m'),
      })
      const begun = this.isTouched(symbolId, '1m', minute) ? await this.runningMinute(symbolId, now) : []
      if (barOpenTime(this.ctx.now(), '1m') !== minute) continue
      const until = begun.length === 0 ? minute : now
      const parts = [...fives, ...minutes.filter(({ openTime }) => openTime >= five), ...begun]
      for (const interval of CHART_INTERVALS) {
        const openTime = barOpenTime(now, interval)
        if (!this.isTouched(symbolId, interval, openTime)) continue
        const [candle = null] = foldCandles(
          parts.filter((part) => part.openTime >= openTime),
          interval,
        )
        all[interval].complete({ openTime, candle, until }, ticksSince(until))
      }
      return fives
    }
  }

  /** Returns the running minute so far, from a history that includes it. Providers return closed bars only. */
  private async runningMinute(symbolId: number, now: Instant): Promise<readonly Candle[]> {
    if (this.feed.storedHistory) return []
    const history = await knownHistory(this.ctx, this.feed, { symbolId, interval: '1m', before: now, limit: 1 })
    return history.filter(({ openTime }) => openTime === barOpenTime(now, '1m'))
  }

  /** Recomputes the open bars after the holes of a symbol have changed. */
  reconsider(symbolId: number): void {
    for (const interval of CHART_INTERVALS) {
      this.forgetPast(symbolId, interval)
      const series = this.of(symbolId)[interval]
      const running = series.running
      if (running !== null && !this.isTouched(symbolId, interval, running.openTime)) series.complete(null, [])
    }
  }

  /** Drops cached history of a symbol, so that it is requested again. */
  forgetPast(symbolId: number, interval: ChartInterval): void {
    this.older.forget(symbolId, interval)
    this.recentPast.delete(`${symbolId}/${interval}`)
  }

  /** Whether a hole overlaps a bar that ends just before `minute` and is part of the day's figures. */
  hasEndedInHole(symbolId: number, minute: Instant): boolean {
    const last = instant(minute - 1)
    return (['1m', '5m'] as const).some((interval) => {
      const openTime = barOpenTime(last, interval)
      return openTime + intervalMs(interval) === minute && this.isTouched(symbolId, interval, openTime)
    })
  }

  private isTouched(symbolId: number, interval: ChartInterval, openTime: Instant): boolean {
    return isInHole(openTime, intervalMs(interval), this.coverage.of(symbolId))
  }

  /** The newest candles of closed bars, without caching the page. */
  private async newest(query: Required<CandleQuery>): Promise<Candle[]> {
    const recent = await this.recent(query)
    const before = instant(Math.min(this.of(query.symbolId)[query.interval].since, query.before))
    const limit = query.limit - recent.length
    const older = limit > 0 ? await this.older.load({ ...query, before, limit }, () => {}) : []
    return [...older, ...recent].slice(-query.limit).map(({ candle }) => candle)
  }

  /** The candles that are kept in memory, with the open candle last. */
  private async recent({ symbolId, interval, before, limit }: Required<CandleQuery>): Promise<ShownCandle[]> {
    const series = this.of(symbolId)[interval]
    if (before <= series.since) return []
    const holes = this.coverage.of(symbolId)
    const lengthMs = intervalMs(interval)
    const running = series.running
    const now = this.ctx.now()
    const isRunning = running !== null && running.openTime + lengthMs > now
    const own = [...series.closed]
    // Adds our newest candle when it has ended but may still get a late tick. An open candle may follow it.
    if (series.open !== null && !(isRunning && series.open.openTime === running.openTime)) own.push(series.open)
    const from = own.length > limit && before > now ? own.at(-limit)?.openTime : undefined
    const past = await this.pastOf(symbolId, interval, {
      from: from ?? series.since,
      until: barOpenTime(now, interval),
    })
    const chosen = chooseCandles({
      own: from === undefined ? own : own.filter(({ openTime }) => openTime >= from),
      past,
      holes,
      lengthMs,
      feedName: this.feed.name,
    })
    if (isRunning) chosen.push(this.asRunning(running, series, isInHole(running.openTime, lengthMs, holes)))
    return chosen.filter(({ candle }) => candle.openTime < before).slice(-limit)
  }

  /**
   * Returns the open bar with its source. The source is null when our own ticks are in the bar, otherwise it is the
   * feed.
   */
  private asRunning(candle: Candle, { open }: CandleSeries, isPartial: boolean): ShownCandle {
    const isOurs = open?.openTime === candle.openTime
    return isOurs ? { candle, source: null, isPartial } : { candle, source: this.feed.name, isPartial: false }
  }

  /** The candles of the feed's history for bars in a hole. Without holes no source is queried. */
  private async pastOf(
    symbolId: number,
    interval: ChartInterval,
    { from, until }: Stretch,
  ): Promise<readonly PastCandle[]> {
    const touching = this.coverage.of(symbolId).filter((hole) => hole.until > from && hole.from < until)
    const [first, last] = [touching[0], touching.at(-1)]
    if (first === undefined || last === undefined) return []
    const begin = instant(Math.max(from, barOpenTime(first.from, interval)))
    const furthest = Math.max(...touching.map((hole) => hole.until))
    const end = instant(Math.min(until, Math.ceil(furthest / intervalMs(interval)) * intervalMs(interval)))
    if (end <= begin) return []
    if (this.feed.storedHistory) return await this.feed.storedHistory({ symbolId, interval, from: begin, until: end })
    const key = `${symbolId}/${interval}`
    const known = this.recentPast.get(key)
    if (known !== undefined && known.from <= begin && known.until >= end) return await known.bars
    const limit = Math.ceil((end - begin) / intervalMs(interval))
    let isWhole = true
    const history = knownHistory(this.ctx, this.feed, { symbolId, interval, before: end, limit }, () => {
      isWhole = false
    })
    const bars = history.then((all) => all.filter(({ openTime }) => openTime >= begin))
    this.recentPast.set(key, { from: begin, until: end, bars })
    await bars
    if (!isWhole && this.recentPast.get(key)?.bars === bars) this.recentPast.delete(key)
    return await bars
  }

  private tellClosed(symbolId: number, interval: ChartInterval, finished: Finished | null): void {
    if (finished === null) return
    const { own, shown } = finished
    this.writer.add({ symbolId, interval, candle: own })
    this.onClosed({ symbolId, interval, candle: shown }, !this.isTouched(symbolId, interval, own.openTime))
  }
}
