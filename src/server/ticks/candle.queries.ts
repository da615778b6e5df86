import { sql } from 'kysely'
import type { Candle } from '#core/markets/candle.ts'
import { price, volume } from '#core/money/price.ts'
import { CHART_INTERVALS, type ChartInterval, isChartInterval } from '#core/time/chart-interval.ts'
import { instant, type Instant } from '#core/time/instant.ts'
import type { Db } from '#server/db/tables.ts'

export interface ClosedCandle {
  readonly symbolId: number
  readonly interval: ChartInterval
  readonly candle: Candle
}

/** Adds closed candles. One that is there stays as it is: closed candles never change. */
export async function insertCandles(db: Db, closed: readonly ClosedCandle[]): Promise<void> {
  await db
    .insertInto('candle')
    .values(
      closed.map(({ symbolId, interval, candle }) => ({
        symbol_id: symbolId,
        interval,
        open_ms: candle.openTime,
        open: candle.open,
        high: candle.high,
        low: candle.low,
        close: candle.close,
        volume: candle.volume,
      })),
    )
    .onConflict((conflict) => conflict.columns(['symbol_id', 'interval', 'open_ms']).doNothing())
    .execute()
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
  return rows.flatMap((row) =>
    isChartInterval(row.interval) ? [{ symbolId: row.symbol_id, interval: row.interval, candle: toCandle(row) }] : [],
  )
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
