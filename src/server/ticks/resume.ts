import { barOpenTime, type Candle, foldCandle, foldCandles, foldTick } from '#core/markets/candle.ts'
import type { MarketSymbol } from '#core/markets/market.ts'
import type { Tick } from '#core/markets/tick.ts'
import { CHART_INTERVALS, type ChartInterval, intervalMs } from '#core/time/chart-interval.ts'
import { later, MINUTE_MS, type Instant } from '#core/time/instant.ts'
import type { Ctx } from '#server/context.ts'
import type { Feed } from '#server/feeds/feed.ts'
import { inBatches } from '#server/in-batches.ts'
import { closedCandles, type ClosedCandle, insertCandles, newestCandles } from '#server/ticks/candle.queries.ts'
import { type CandleSeries, mergeBar, mergeCandles } from '#server/ticks/candle-series.ts'
import { knownPast } from '#server/ticks/known-past.ts'
import { loggedTicks, newestLoggedTime } from '#server/ticks/tick-batch.queries.ts'

/** Minutes older than this, counted back from the newest tick, are closed and stored: see the floor in admission.ts. */
const READ_BACK_MS = 5 * MINUTE_MS
/** Enough finer candles for any unfinished bar: a day has 24 hours. */
const ROWS_PER_SERIES = 30
/** Five-minute bars of a day and a little more. */
export const DAY_BARS = 300
const SYMBOLS_AT_ONCE = 4

/** What one symbol goes on from. */
export interface Resumed {
  readonly ticks: readonly Tick[]
  /** Five-minute bars of at least the last 24 hours, as far as they are known, up to the current one. */
  readonly dayBars: readonly Candle[]
  /** Candles before this were closed by the start; a tick from before it comes too late. */
  readonly closedThrough: Instant | null
}

export interface ResumeOptions {
  readonly ctx: Ctx
  readonly feed: Feed
  readonly symbols: readonly MarketSymbol[]
  readonly series: (symbolId: number) => Record<ChartInterval, CandleSeries>
}

/**
 * Rebuilds what only memory held: the newest ticks, the open candle of every interval, and the day's bars. An open
 * candle is folded from the closed finer ones and the logged ticks after them. Where the process was not there for a
 * part of a bar, the feed's history of that bar is merged in.
 */
export async function resume({ ctx, feed, symbols, series }: ResumeOptions): Promise<Map<number, Resumed>> {
  const recent = await recentTicks(ctx)
  const stored = await newestCandles(
    ctx.db,
    symbols.map(({ id }) => id),
    ROWS_PER_SERIES,
  )
  const resumed = new Map<number, Resumed>()
  for (const some of inBatches(symbols, SYMBOLS_AT_ONCE)) {
    await Promise.all(
      some.map(async ({ id }) => {
        const rows = stored.filter((row) => row.symbolId === id)
        const ticks = recent.get(id) ?? (await lastMinute(ctx, id, rows))
        const symbol = { ctx, feed, symbolId: id, rows, ticks }
        let closedThrough: Instant | null = null
        for (const interval of CHART_INTERVALS) {
          const through = await resumeSeries(symbol, series(id)[interval])
          if (through !== null && (closedThrough === null || through > closedThrough)) closedThrough = through
        }
        resumed.set(id, { ticks, dayBars: await startBars(symbol, series(id)), closedThrough })
      }),
    )
  }
  return resumed
}

interface SymbolState {
  readonly ctx: Ctx
  readonly feed: Feed
  readonly symbolId: number
  readonly rows: readonly ClosedCandle[]
  readonly ticks: readonly Tick[]
}

async function recentTicks(ctx: Ctx): Promise<Map<number, Tick[]>> {
  const newest = await newestLoggedTime(ctx.db)
  if (newest === null) return new Map()
  return group(await loggedTicks(ctx.db, later(newest, -READ_BACK_MS), newest))
}

function group(ticks: readonly Tick[]): Map<number, Tick[]> {
  const bySymbol = new Map<number, Tick[]>()
  for (const tick of ticks) {
    const list = bySymbol.get(tick.symbolId)
    if (list === undefined) bySymbol.set(tick.symbolId, [tick])
    else list.push(tick)
  }
  return bySymbol
}

/** A symbol that has been silent: its last stored minute points to the place in the log. */
async function lastMinute(ctx: Ctx, symbolId: number, rows: readonly ClosedCandle[]): Promise<Tick[]> {
  const last = rows.findLast((row) => row.interval === '1m')?.candle.openTime
  return last === undefined ? [] : await loggedTicks(ctx.db, last, later(last, MINUTE_MS - 1), symbolId)
}

/** Answers through when the series is closed, when it is because we were away as its last bar ended. */
async function resumeSeries(symbol: SymbolState, series: CandleSeries): Promise<Instant | null> {
  const { ctx, symbolId } = symbol
  const { interval } = series
  const bars = unstoredBars(symbol, interval)
  const last = bars.pop()
  const now = ctx.now()
  let open: Candle | null = null
  let closedThrough: Instant | null = null
  if (last !== undefined) {
    const end = series.end(last)
    const [bar] = await history(symbol, interval, end < now ? end : now, 1)
    const merged = bar?.openTime === last.openTime ? mergeBar(bar, last, end > now) : last
    if (end > now) open = merged
    else {
      bars.push(merged)
      closedThrough = end
    }
  }
  if (bars.length > 0) {
    await insertCandles(
      ctx.db,
      bars.map((candle) => ({ symbolId, interval, candle })),
    )
  }
  series.resume(open, closedThrough)
  return closedThrough
}

/** Own candles of an interval after the last stored one, from finer stored ones and then from ticks; the last is open. */
function unstoredBars({ rows, ticks }: SymbolState, interval: ChartInterval): Candle[] {
  const bars: Candle[] = []
  let current: Candle | null = null
  const put = (next: Candle) => {
    if (current !== null && current.openTime < next.openTime) bars.push(current)
    current = next
  }
  let cursor = Number.NEGATIVE_INFINITY
  for (const finer of CHART_INTERVALS.slice(0, CHART_INTERVALS.indexOf(interval) + 1).toReversed()) {
    for (const row of rows) {
      if (row.interval !== finer || row.candle.openTime < cursor) continue
      if (finer !== interval) put(foldCandle(current, row.candle, interval))
      cursor = row.candle.openTime + intervalMs(finer)
    }
  }
  for (const tick of ticks) if (tick.time >= cursor) put(foldTick(current, tick, interval))
  if (current !== null) bars.push(current)
  return bars
}

/** Gives every series what the feed knows of its current bar, and answers the bars of the day. */
async function startBars(symbol: SymbolState, all: Record<ChartInterval, CandleSeries>): Promise<Candle[]> {
  const now = symbol.ctx.now()
  const known = await history(symbol, '5m', now, DAY_BARS)
  const minute = await history(symbol, '1m', now, 1)
  for (const interval of CHART_INTERVALS) {
    const begin = barOpenTime(now, interval)
    const inside = (interval === '1m' ? minute : known).filter((candle) => candle.openTime >= begin)
    const base = foldCandles(inside, interval)[0]
    if (base !== undefined) all[interval].startFrom(base)
  }
  const current = barOpenTime(now, '5m')
  const page = { symbolId: symbol.symbolId, interval: '5m', before: current, limit: DAY_BARS } as const
  const own = await closedCandles(symbol.ctx.db, page)
  return mergeCandles(
    known.filter((candle) => candle.openTime < current),
    own,
  )
}

function history(
  { ctx, feed, symbolId }: SymbolState,
  interval: ChartInterval,
  before: Instant,
  limit: number,
): Promise<Candle[]> {
  return knownPast(ctx, feed, { symbolId, interval, before, limit })
}
