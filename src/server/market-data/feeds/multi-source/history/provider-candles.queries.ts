import type { Candle } from '#core/markets/candle.ts'
import { price, volume } from '#core/money/price.ts'
import type { ChartInterval } from '#core/time/chart-interval.ts'
import { instant, type Instant } from '#core/time/instant.ts'
import type { Db } from '#server/platform/database/tables.ts'
import type { PastCandle, HistoryRange } from '#server/market-data/feeds/base/feed.ts'
import { chunk } from '#server/platform/concurrency/chunk.ts'

/** 1,000 rows per statement: PostgreSQL takes 65,535 values. */
const ROWS_AT_ONCE = 1_000

/**
 * Stores the bars of a time range and marks the range as requested, in one transaction. A stored bar is kept, because closed bars never
 * change.
 */
export async function keepStretch(
  db: Db,
  stretch: HistoryRange,
  reply: { readonly candles: readonly Candle[]; readonly source: string; readonly at: Instant },
): Promise<void> {
  const { symbolId, interval } = stretch
  const rows = reply.candles.map((candle) => ({
    symbol_id: symbolId,
    interval,
    open_ms: candle.openTime,
    open: candle.open,
    high: candle.high,
    low: candle.low,
    close: candle.close,
    volume: candle.volume,
    source: reply.source,
    fetched_ms: reply.at,
  }))
  await db.transaction().execute(async (tx) => {
    for (const batch of chunk(rows, ROWS_AT_ONCE)) {
      await tx
        .insertInto('provider_candle')
        .values(batch)
        .onConflict((conflict) => conflict.columns(['symbol_id', 'interval', 'open_ms']).doNothing())
        .execute()
    }
    // Adjoining ranges are merged.
    const touching = await tx
      .deleteFrom('provider_history')
      .where('symbol_id', '=', symbolId)
      .where('interval', '=', interval)
      .where('from_ms', '<=', BigInt(stretch.until))
      .where('to_ms', '>=', BigInt(stretch.from))
      .returning(['from_ms', 'to_ms'])
      .execute()
    await tx
      .insertInto('provider_history')
      .values({
        symbol_id: symbolId,
        interval,
        from_ms: Math.min(stretch.from, ...touching.map(({ from_ms }) => Number(from_ms))),
        to_ms: Math.max(stretch.until, ...touching.map(({ to_ms }) => Number(to_ms))),
      })
      .execute()
  })
}

/** The newest requested range that begins before an instant. */
export async function stretchBefore(
  db: Db,
  symbolId: number,
  interval: ChartInterval,
  before: Instant,
): Promise<{ from: Instant; until: Instant } | null> {
  const row = await db
    .selectFrom('provider_history')
    .select(['from_ms', 'to_ms'])
    .where('symbol_id', '=', symbolId)
    .where('interval', '=', interval)
    .where('from_ms', '<', BigInt(before))
    .orderBy('from_ms', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row === undefined ? null : { from: instant(row.from_ms), until: instant(row.to_ms) }
}

/** The number of stored bars in a range, counted up to `limit`. */
export async function countStored(db: Db, stretch: HistoryRange, limit: number): Promise<number> {
  const { count } = await db
    .selectFrom(
      db
        .selectFrom('provider_candle')
        .select('open_ms')
        .where('symbol_id', '=', stretch.symbolId)
        .where('interval', '=', stretch.interval)
        .where('open_ms', '>=', BigInt(stretch.from))
        .where('open_ms', '<', BigInt(stretch.until))
        .limit(limit)
        .as('some'),
    )
    .select(({ fn }) => fn.countAll().as('count'))
    .executeTakeFirstOrThrow()
  return Number(count)
}

/** The newest stored bars of a range, ascending. */
export async function storedBars(db: Db, stretch: HistoryRange, limit: number): Promise<PastCandle[]> {
  const rows = await db
    .selectFrom('provider_candle')
    .selectAll()
    .where('symbol_id', '=', stretch.symbolId)
    .where('interval', '=', stretch.interval)
    .where('open_ms', '>=', BigInt(stretch.from))
    .where('open_ms', '<', BigInt(stretch.until))
    .orderBy('open_ms', 'desc')
    .limit(limit)
    .execute()
  return rows
    .map((row) => ({
      openTime: instant(row.open_ms),
      open: price(row.open),
      high: price(row.high),
      low: price(row.low),
      close: price(row.close),
      volume: volume(row.volume),
      source: row.source,
    }))
    .toReversed()
}

export async function storedFirstBar(db: Db, symbolId: number): Promise<Instant | null> {
  const row = await db
    .selectFrom('provider_start')
    .select('first_ms')
    .where('symbol_id', '=', symbolId)
    .executeTakeFirst()
  return row === undefined ? null : instant(row.first_ms)
}

export async function keepStart(
  db: Db,
  symbolId: number,
  start: { readonly first: Instant; readonly source: string; readonly at: Instant },
): Promise<void> {
  await db
    .insertInto('provider_start')
    .values({ symbol_id: symbolId, first_ms: start.first, source: start.source, asked_ms: start.at })
    .onConflict((conflict) => conflict.column('symbol_id').doNothing())
    .execute()
}
