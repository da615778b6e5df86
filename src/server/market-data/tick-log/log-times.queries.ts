import { type Instant, instant, later } from '#core/time/instant.ts'
import { PACK_SPAN_MS } from '#server/market-data/tick-log/tick-batch.queries.ts'
import type { Db } from '#server/platform/database/tables.ts'

/** The newest source time in the log; null when it is empty. */
export async function newestLoggedTime(db: Db): Promise<Instant | null> {
  const newest = await outermost(db, 'desc')
  return newest.length === 0 ? null : instant(Number(newest.reduce((a, b) => (a > b ? a : b))))
}

/** A source time before which the log has no ticks; null when it is empty. */
export async function beginningOfLog(db: Db): Promise<Instant | null> {
  const oldest = await outermost(db, 'asc')
  return oldest.length === 0 ? null : later(instant(Number(oldest.reduce((a, b) => (a < b ? a : b)))), -PACK_SPAN_MS)
}

async function outermost(db: Db, order: 'asc' | 'desc'): Promise<bigint[]> {
  const ofTable = async (table: 'tick_batch' | 'tick_pack') =>
    await db.selectFrom(table).select('last_time_ms').orderBy('last_time_ms', order).limit(1).executeTakeFirst()
  return [await ofTable('tick_batch'), await ofTable('tick_pack')].flatMap((row) => row?.last_time_ms ?? [])
}
