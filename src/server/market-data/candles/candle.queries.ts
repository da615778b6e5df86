import { sql } from 'kysely'
import type { Candle } from '#core/markets/candle.ts'
import { price, volume } from '#core/money/price.ts'
import { CHART_INTERVALS, type ChartInterval, isChartInterval } from '#core/time/chart-interval.ts'
import { instant, type Instant } from '#core/time/instant.ts'
import type { ClosedCandle } from '#server/market-data/ticks.ts'
import type { Db, Tx } from '#server/platform/database/tables.ts'
import { chunk } from '#server/platform/concurrency/chunk.ts'

/** 5,000 rows of 8 values per statement, because PostgreSQL accepts at most 65,535 values. */
const ROWS_AT_ONCE = 5_000

/** Inserts closed candles. An existing candle is kept, because closed candles never change. */
export async function insertCandles(db: Db, closed: readonly ClosedCandle[]): Promise<void> {
  await db
    .insertInto('candle')
    .values(closed.map(toRow))
    .onConflict((conflict) => conflict.columns(['symbol_id', 'interval', 'open_ms']).doNothing())
    .execute()
}

/** Replaces stored candles with candles that were folded again. */
export async function replaceCandles(tx: Tx, closed: readonly ClosedCandle[]): Promise<void> {
  for (const some of chunk(closed, ROWS_AT_ONCE)) {
    await tx
      .insertInto('candle')
      .values(some.map(toRow))
      .onConflict((conflict) =>
        conflict.columns(['symbol_id', 'interval', 'open_ms']).doUpdateSet((row) => ({
          open: row.ref('excluded.open'),
          high: row.ref('excluded.high'),
          low: row.ref('excluded.low'),
          close: row.ref('excluded.close'),
          volume: row.ref('excluded.volume'),
        })),
      )
      .execute()
  }
}

/** Deletes candles without ticks in the log. */
export async function removeCandles(tx: Tx, removed: readonly ClosedCandle[]): Promise<void> {
  for (const { symbolId, interval, candle } of removed) {
    await tx
      .deleteFrom('candle')
      .where('symbol_id', '=', symbolId)
      .where('interval', '=', interval)
      .where('open_ms', '=', BigInt(candle.openTime))
      .execute()
  }
}

function toRow({ symbolId, interval, candle }: ClosedCandle) {
  return {
    symbol_id: symbolId,
    interval,
    open_ms: candle.openTime,
    open: candle.open,
    high: candle.high,
    low: candle.low,
    close: candle.close,
    volume: candle.volume,
  }
}

export interface CandlePage {
  readonly symbolId: number
  readonly interval: ChartInterval
  readonly before: Instant
  readonly limit: number
}

/** The newest `limit` own closed candles that open before `before`, ascending. */
export async function closedCandles(db: Db, { symbolId, interval, before, limit }: CandlePage): Promise<Candle[]> {
  const rows = await db
    .selectFrom('candle')
    .selectAll()
    .where('symbol_id', '=', symbolId)
    .where('interval', '=', interval)
    .where('open_ms', '<', BigInt(before))
    .orderBy('open_ms', 'desc')
    .limit(limit)
    .execute()
  return rows.map(toCandle).toReversed()
}

/** The newest `count` closed candles of each symbol and interval, each list ascending. */
export async function newestCandles(db: Db, symbolIds: readonly number[], count: number): Promise<ClosedCandle[]> {
  const { rows } = await sql<CandleRow>`
    select c.* from unnest(${symbolIds}::int4[]) as s (symbol_id)
    cross join unnest(${CHART_INTERVALS}::text[]) as i (interval)
    cross join lateral (
      select * from candle
      where candle.symbol_id = s.symbol_id and candle.interval = i.interval
      order by open_ms desc limit ${count}
    ) as c
    order by c.symbol_id, c.interval, c.open_ms`.execute(db)
  return rows.flatMap(toClosed)
}

function toClosed(row: CandleRow): ClosedCandle[] {
  const { symbol_id: symbolId, interval } = row
  return isChartInterval(interval) ? [{ symbolId, interval, candle: toCandle(row) }] : []
}

/** Closed candles of all intervals of these symbols that open in a time range. */
export async function candlesBetween(
  db: Db,
  symbolIds: readonly number[],
  { from, until }: { readonly from: Instant; readonly until: Instant },
): Promise<ClosedCandle[]> {
  const rows = await db
    .selectFrom('candle')
    .selectAll()
    .where('symbol_id', 'in', symbolIds)
    .where('open_ms', '>=', BigInt(from))
    .where('open_ms', '<', BigInt(until))
    .execute()
  return rows.flatMap(toClosed)
}

/** The number of closed candles of these symbols that open before a moment. */
export async function countCandlesBefore(db: Db, symbolIds: readonly number[], before: Instant): Promise<number> {
  const { count } = await db
    .selectFrom('candle')
    .select(({ fn }) => fn.countAll().as('count'))
    .where('symbol_id', 'in', symbolIds)
    .where('open_ms', '<', BigInt(before))
    .executeTakeFirstOrThrow()
  return Number(count)
}

/** The opening of a symbol's first stored minute; null when none is stored. */
export async function firstCandleTime(db: Db, symbolId: number): Promise<Instant | null> {
  const row = await db
    .selectFrom('candle')
    .select('open_ms')
    .where('symbol_id', '=', symbolId)
    .where('interval', '=', '1m')
    .orderBy('open_ms')
    .limit(1)
    .executeTakeFirst()
  return row === undefined ? null : instant(row.open_ms)
}

interface CandleRow {
  symbol_id: number
  interval: string
  open_ms: bigint
  open: bigint
  high: bigint
  low: bigint
  close: bigint
  volume: bigint
}

function toCandle(row: Omit<CandleRow, 'symbol_id' | 'interval'>): Candle {
  return {
    openTime: instant(row.open_ms),
    open: price(row.open),
    high: price(row.high),
    low: price(row.low),
    close: price(row.close),
    volume: volume(row.volume),
  }
}
