import { type Candle, foldCandle, foldTick } from '#core/markets/candle.ts'
import type { MarketSymbol } from '#core/markets/market.ts'
import type { Tick } from '#core/markets/tick.ts'
import { CHART_INTERVALS, type ChartInterval, intervalMs } from '#core/time/chart-interval.ts'
import { DAY_MS, instant, later, MINUTE_MS, type Instant } from '#core/time/instant.ts'
import type { Ctx } from '#server/platform/context/context.ts'
import { firstCandleTime, newestCandles } from '#server/market-data/candles/candle.queries.ts'
import type { ClosedCandle } from '#server/market-data/ticks.ts'
import type { CandleSeries } from '#server/market-data/candles/candle-series.ts'
import { newestLoggedTime } from '#server/market-data/tick-log/log-times.queries.ts'
import { loggedTicks } from '#server/market-data/tick-log/tick-batch.queries.ts'
import { holesAfter, symbolsWithBeginning, type TickHole } from '#server/market-data/tick-log/tick-hole.queries.ts'

/** Minutes older than this, counted back from the newest tick, are closed and stored: see the floor in tick-order-guard.ts. */
const READ_BACK_MS = 5 * MINUTE_MS
/** Enough finer candles for any unfinished bar: a day has 24 hours. */
const ROWS_PER_SERIES = 30
/** 2 days before the newest price: far enough to find all holes that overlap a bar which may be open or not stored. */
const HOLES_BACK_MS = 2 * DAY_MS

/** The restored state of one symbol. */
export interface RestoredState {
  readonly ticks: readonly Tick[]
  readonly holes: readonly TickHole[]
  /** The log is known to be complete up to this time; null when it has nothing of the symbol. */
  readonly through: Instant | null
  /** The time up to which our bars are stored, or had ended when this process began. An earlier tick is too late. */
  readonly closedThrough: Instant | null
}

export interface RestoreOptions {
  readonly ctx: Ctx
  readonly symbols: readonly MarketSymbol[]
  readonly series: (symbolId: number) => Record<ChartInterval, CandleSeries>
  /** Receives a closed candle that may not be stored yet. */
  readonly store: (closed: ClosedCandle) => void
  /** The newest ticks in memory: some may have arrived while the log was read. */
  readonly newest: (symbolId: number) => readonly Tick[]
}

/**
 * Rebuilds the state that only memory held: the newest ticks, and the open candle of every interval. Candles are folded from closed finer
 * ones and the logged ticks after them.
 */
export async function restoreState({
  ctx,
  symbols,
  series,
  store,
  newest,
}: RestoreOptions): Promise<Map<number, RestoredState>> {
  const recent = await recentTicks(ctx)
  const stored = await newestCandles(
    ctx.db,
    symbols.map(({ id }) => id),
    ROWS_PER_SERIES,
  )
  const newestAt = Math.min(ctx.now(), (await newestLoggedTime(ctx.db)) ?? ctx.now())
  const holes = await holesAfter(ctx.db, later(instant(newestAt), -HOLES_BACK_MS))
  const begun = await symbolsWithBeginning(ctx.db)
  const resumed = new Map<number, RestoredState>()
  for (const { id } of symbols) {
    const rows = stored.filter((row) => row.symbolId === id)
    const logged = recent.get(id) ?? (await lastMinute(ctx, id, rows))
    const beginning = begun.has(id) ? [] : await unstoredBeginning(ctx, id, logged)
    // There is no await from here on, so no tick can arrive in between.
    const last = logged.at(-1)?.seq ?? 0
    const ticks = [...logged, ...newest(id).filter(({ seq }) => seq > last)]
    const closedThrough = restoreSeries(ctx, { symbolId: id, rows, ticks }, series(id), store)
    const own = holes.filter(({ symbolId }) => symbolId === id)
    resumed.set(id, { ticks, holes: [...beginning, ...own], through: lastKnown(rows, ticks), closedThrough })
  }
  return resumed
}

interface StoredSymbol {
  readonly symbolId: number
  readonly rows: readonly ClosedCandle[]
  readonly ticks: readonly Tick[]
}

/**
 * Restores the candles of a symbol. Returns the time up to which its bars are stored or have ended; null when it has
 * none.
 */
function restoreSeries(
  ctx: Ctx,
  symbol: StoredSymbol,
  all: Record<ChartInterval, CandleSeries>,
  store: (closed: ClosedCandle) => void,
): Instant | null {
  const now = ctx.now()
  let closedThrough: Instant | null = null
  for (const interval of CHART_INTERVALS) {
    const bars = unstoredBars(symbol, interval)
    const open = bars.pop() ?? null
    const newest = symbol.rows.findLast((row) => row.interval === interval)?.candle
    const storedThrough = instant(newest === undefined ? 0 : newest.openTime + intervalMs(interval))
    all[interval].resume(bars, open, { storedThrough, now })
    for (const candle of bars) store({ symbolId: symbol.symbolId, interval, candle })
    const end = open && all[interval].end(open)
    const closedUntil = end !== null && end <= now ? end : storedThrough
    if (closedUntil > 0 && (closedThrough === null || closedUntil > closedThrough)) closedThrough = closedUntil
  }
  return closedThrough
}

function lastKnown(rows: readonly ClosedCandle[], ticks: readonly Tick[]): Instant | null {
  const minute = rows.findLast((row) => row.interval === '1m')?.candle.openTime
  const times = [ticks.at(-1)?.time, minute === undefined ? undefined : minute + MINUTE_MS].filter(
    (time) => time !== undefined,
  )
  return times.length === 0 ? null : instant(Math.max(...times))
}

/**
 * Some logs are older than the storage of holes. For such a log, returns the time up to the symbol's first own candle
 * or tick as a hole.
 */
async function unstoredBeginning(ctx: Ctx, symbolId: number, [first]: readonly Tick[]): Promise<TickHole[]> {
  const candle = await firstCandleTime(ctx.db, symbolId)
  const begins = candle ?? first?.time ?? null
  return begins === null ? [] : [{ symbolId, from: instant(0), until: later(begins, 1) }]
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

/**
 * Reads the last logged ticks of a symbol that has been silent. Its last stored one-minute candle shows where they are
 * in the log.
 */
async function lastMinute(ctx: Ctx, symbolId: number, rows: readonly ClosedCandle[]): Promise<Tick[]> {
  const last = rows.findLast((row) => row.interval === '1m')?.candle.openTime
  return last === undefined ? [] : await loggedTicks(ctx.db, last, later(last, MINUTE_MS - 1), symbolId)
}

/** Own candles of an interval after the last stored candle, from finer stored candles and then from ticks. The last candle is open. */
function unstoredBars({ rows, ticks }: StoredSymbol, interval: ChartInterval): Candle[] {
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
