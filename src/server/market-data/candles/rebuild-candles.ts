import { barOpenTime, type Candle, foldTick } from '#core/markets/candle.ts'
import type { Tick } from '#core/markets/tick.ts'
import { CHART_INTERVALS, type ChartInterval, intervalMs } from '#core/time/chart-interval.ts'
import { DAY_MS, instant, later, MINUTE_MS, type Instant } from '#core/time/instant.ts'
import { type Actor, recordAction } from '#server/audit/record-action.ts'
import type { Ctx } from '#server/platform/context/context.ts'
import {
  candlesBetween,
  countCandlesBefore,
  firstCandleTime,
  removeCandles,
  replaceCandles,
} from '#server/market-data/candles/candle.queries.ts'
import type { ClosedCandle } from '#server/market-data/ticks.ts'
import { isInHole } from '#server/market-data/candles/choose-candles.ts'
import { batchesAfter, droppedThrough, loggedTicks } from '#server/market-data/tick-log/tick-batch.queries.ts'
import {
  holesBetween,
  insertHoles,
  symbolsWithBeginning,
  type TickHole,
} from '#server/market-data/tick-log/tick-hole.queries.ts'

/** Bars that ended less than 2 minutes ago may still be open or not yet stored. */
const SETTLED_MS = 2 * MINUTE_MS
/**
 * One query reads at most 10 minutes of the tick log, because other work may have to wait for the database during a
 * query.
 */
const CHUNK_MS = 10 * MINUTE_MS

export interface RebuildOptions {
  readonly symbolIds: readonly number[]
  /** The beginning of a UTC day. Null: from the beginning of the tick log. */
  readonly from: Instant | null
  /** The end of the range, exclusive. Null: until now. */
  readonly until: Instant | null
  readonly isDryRun: boolean
  /** The text that names the rebuilt candles in the audit log. */
  readonly target: string
}

/**
 * A candle that differed from its ticks. `was` is null when no candle was stored. `is` is null when the log has no tick
 * for the bar.
 */
export interface RebuiltCandle {
  readonly symbolId: number
  readonly interval: ChartInterval
  readonly was: Candle | null
  readonly is: Candle | null
}

export interface RebuiltCounts {
  looked: number
  changed: number
  added: number
  removed: number
  /** Bars that counted as complete and are now known to be partial. */
  marked: number
}

export interface RebuildReport {
  /** Keys consist of symbol and interval. */
  readonly counts: ReadonlyMap<string, RebuiltCounts>
  readonly rebuilt: readonly RebuiltCandle[]
  /** Candles before this cannot be folded again; null when the log covers all of them. */
  readonly retainedSince: Instant | null
  /** The number of stored candles that open before `retainedSince`. */
  readonly unknown: number
}

/**
 * Folds the stored candles again from the log, as far as it is kept, and corrects those that differ. A difference shows that a start had
 * mixed in the history of a source. The longest time without a tick in such a bar is then recorded as a hole. Only closed bars are touched,
 * so a server may run at the same time. A second run finds nothing.
 */
export async function rebuildCandles(ctx: Ctx, actor: Actor, options: RebuildOptions): Promise<RebuildReport> {
  const { db } = ctx
  const { symbolIds, isDryRun, target } = options
  const counts = new Map<string, RebuiltCounts>()
  const rebuilt: RebuiltCandle[] = []
  const found: TickHole[] = []
  const dropped = await droppedThrough(db)
  const retainedSince = dropped === null ? null : later(dropped, 1)
  const { from, until } = await stretchOf(ctx, options, retainedSince)
  const beginnings = await unstoredBeginnings(ctx, symbolIds)
  for (let day = instant(Math.floor(from / DAY_MS) * DAY_MS); day < until; day = later(day, DAY_MS)) {
    const end = instant(Math.min(later(day, DAY_MS), until))
    const folds = await foldDay(ctx, symbolIds, { from: day, until: end })
    const stored = await candlesBetween(db, symbolIds, { from: day, until: end })
    for (const symbolId of symbolIds) {
      const known = await holesBetween(db, { symbolId, from: day, until: later(day, DAY_MS) })
      const own = stored.filter((row) => row.symbolId === symbolId)
      const beginning = beginnings.filter((hole) => hole.symbolId === symbolId)
      const compared = await compareDay(ctx, {
        symbolId,
        stored: own,
        folds: folds.get(symbolId) ?? [],
        known: [...known, ...found.filter((hole) => hole.symbolId === symbolId)],
        beginning,
        isLooked: (interval, openTime) =>
          openTime >= from &&
          (retainedSince === null || openTime >= retainedSince) &&
          openTime + intervalMs(interval) <= until,
        counts,
      })
      rebuilt.push(...compared.rebuilt)
      found.push(...compared.holes)
    }
  }
  const holes = [...beginnings, ...found]
  const summary = { ...total(counts), holes: holes.length }
  if (isDryRun) await recordAction(db, ctx, actor, { target, outcome: 'looked', after: summary })
  else {
    await db.transaction().execute(async (tx) => {
      await replaceCandles(
        tx,
        rebuilt.flatMap(({ is, ...bar }) => toRow(bar, is)),
      )
      const gone = rebuilt.filter(({ is }) => is === null)
      await removeCandles(
        tx,
        gone.flatMap(({ was, ...bar }) => toRow(bar, was)),
      )
      await insertHoles(tx, holes)
      await recordAction(tx, ctx, actor, { target, outcome: 'done', after: summary })
    })
    if (rebuilt.length + holes.length > 0)
      ctx.publish({ kind: 'candles-rebuilt', symbolIds: [...symbolIds], from, until })
  }
  const unknown = retainedSince === null ? 0 : await countCandlesBefore(db, symbolIds, retainedSince)
  return { counts, rebuilt, retainedSince, unknown }
}

function toRow({ symbolId, interval }: Omit<RebuiltCandle, 'was' | 'is'>, candle: Candle | null): ClosedCandle[] {
  return candle === null ? [] : [{ symbolId, interval, candle }]
}

async function stretchOf(
  ctx: Ctx,
  { from, until }: Pick<RebuildOptions, 'from' | 'until'>,
  retainedSince: Instant | null,
): Promise<{ from: Instant; until: Instant }> {
  const [first] = await batchesAfter(ctx.db, 0, 1)
  const begins = first === undefined ? ctx.now() : barOpenTime(first.firstTime, '1d')
  const settled = later(ctx.now(), -SETTLED_MS)
  return {
    from: instant(Math.max(from ?? 0, begins, retainedSince === null ? 0 : barOpenTime(retainedSince, '1d'))),
    until: instant(Math.min(until ?? settled, settled)),
  }
}

/**
 * Some logs are older than the storage of holes. For such a log, returns the time up to each symbol's first own candle
 * as a hole.
 */
async function unstoredBeginnings(ctx: Ctx, symbolIds: readonly number[]): Promise<TickHole[]> {
  const begun = await symbolsWithBeginning(ctx.db)
  const holes: TickHole[] = []
  for (const symbolId of symbolIds) {
    const first = begun.has(symbolId) ? null : await firstCandleTime(ctx.db, symbolId)
    if (first !== null) holes.push({ symbolId, from: instant(0), until: later(first, 1) })
  }
  return holes
}

type Folds = Record<ChartInterval, Map<number, Candle>>

/** Folds the ticks of one UTC day to candles, by symbol. No bar of any interval crosses midnight UTC. */
async function foldDay(
  ctx: Ctx,
  symbolIds: readonly number[],
  { from, until }: { readonly from: Instant; readonly until: Instant },
): Promise<Map<number, ClosedCandle[]>> {
  const bySymbol = new Map<number, Folds>(
    symbolIds.map((id) => [
      id,
      { '1m': new Map(), '5m': new Map(), '30m': new Map(), '1h': new Map(), '1d': new Map() },
    ]),
  )
  const only = symbolIds.length === 1 ? symbolIds[0] : undefined
  for (let begin = from; begin < until; begin = later(begin, CHUNK_MS)) {
    const end = Math.min(begin + CHUNK_MS, until)
    for (const tick of await loggedTicks(ctx.db, begin, instant(end - 1), only)) {
      const folds = bySymbol.get(tick.symbolId)
      if (folds !== undefined) for (const interval of CHART_INTERVALS) fold(folds[interval], tick, interval)
    }
  }
  return new Map(
    [...bySymbol].map(([symbolId, folds]) => [
      symbolId,
      CHART_INTERVALS.flatMap((interval) =>
        [...folds[interval].values()].map((candle) => ({ symbolId, interval, candle })),
      ),
    ]),
  )
}

function fold(bars: Map<number, Candle>, tick: Tick, interval: ChartInterval): void {
  const openTime = barOpenTime(tick.time, interval)
  bars.set(openTime, foldTick(bars.get(openTime) ?? null, tick, interval))
}

interface DayOfSymbol {
  readonly symbolId: number
  readonly stored: readonly ClosedCandle[]
  readonly folds: readonly ClosedCandle[]
  /** Holes that are stored or were found on another day. */
  readonly known: readonly TickHole[]
  readonly beginning: readonly TickHole[]
  readonly isLooked: (interval: ChartInterval, openTime: Instant) => boolean
  readonly counts: Map<string, RebuiltCounts>
}

async function compareDay(ctx: Ctx, day: DayOfSymbol): Promise<{ rebuilt: RebuiltCandle[]; holes: TickHole[] }> {
  const { symbolId, known, beginning, counts } = day
  const rebuilt: RebuiltCandle[] = []
  const holes: TickHole[] = []
  const all = (): TickHole[] => [...known, ...beginning, ...holes]
  const pairs = pairUp(day)
  // Finest intervals first, because a hole in a minute applies to its hour too.
  for (const { interval, openTime, was, is } of pairs) {
    if (isSame(was, is)) continue
    rebuilt.push({ symbolId, interval, was, is })
    if (!isInHole(openTime, intervalMs(interval), all()))
      holes.push(await findMaxSilence(ctx, symbolId, openTime, interval))
  }
  for (const { interval, openTime, was, is } of pairs) {
    const key = `${symbolId}/${interval}`
    const count = counts.get(key) ?? { looked: 0, changed: 0, added: 0, removed: 0, marked: 0 }
    counts.set(key, count)
    count.looked += 1
    if (is === null) count.removed += 1
    else if (was === null) count.added += 1
    else if (!isSame(was, is)) count.changed += 1
    const length = intervalMs(interval)
    if (is !== null && !isInHole(openTime, length, known) && isInHole(openTime, length, all())) count.marked += 1
  }
  return { rebuilt, holes }
}

interface Pair {
  readonly interval: ChartInterval
  readonly openTime: Instant
  readonly was: Candle | null
  readonly is: Candle | null
}

/** Pairs stored candles with the folds of the same bars, within the range to check. */
function pairUp({ stored, folds, isLooked }: DayOfSymbol): Pair[] {
  return CHART_INTERVALS.flatMap((interval) => {
    const by = (rows: readonly ClosedCandle[]) =>
      new Map(rows.filter((row) => row.interval === interval).map(({ candle }) => [candle.openTime, candle]))
    const [was, is] = [by(stored), by(folds)]
    return [...new Set([...was.keys(), ...is.keys()])]
      .filter((openTime) => isLooked(interval, openTime))
      .toSorted((a, b) => a - b)
      .map((openTime) => ({ interval, openTime, was: was.get(openTime) ?? null, is: is.get(openTime) ?? null }))
  })
}

/** The longest time without a tick inside a bar. */
async function findMaxSilence(
  ctx: Ctx,
  symbolId: number,
  openTime: Instant,
  interval: ChartInterval,
): Promise<TickHole> {
  const end = later(openTime, intervalMs(interval))
  const ticks = await loggedTicks(ctx.db, openTime, later(end, -1), symbolId)
  let maxSilence: TickHole = { symbolId, from: openTime, until: ticks[0]?.time ?? end }
  for (const [at, { time }] of ticks.entries()) {
    const next = ticks[at + 1]?.time ?? end
    if (next - time > maxSilence.until - maxSilence.from) maxSilence = { symbolId, from: time, until: next }
  }
  return maxSilence
}

function isSame(a: Candle | null, b: Candle | null): boolean {
  if (a === null || b === null) return a === b
  return a.open === b.open && a.high === b.high && a.low === b.low && a.close === b.close && a.volume === b.volume
}

function total(counts: ReadonlyMap<string, RebuiltCounts>): RebuiltCounts {
  const sum = { looked: 0, changed: 0, added: 0, removed: 0, marked: 0 }
  for (const count of counts.values())
    for (const key of ['looked', 'changed', 'added', 'removed', 'marked'] as const) sum[key] += count[key]
  return sum
}
