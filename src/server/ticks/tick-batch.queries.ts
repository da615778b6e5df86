import type { Tick } from '#core/markets/tick.ts'
import type { Instant } from '#core/time/instant.ts'
import type { Db } from '#server/db/tables.ts'
import { GENESIS_HASH, textToTicks } from '#server/ticks/tick-text.ts'

/** The end of the log: where the next batch goes on. */
export interface LogHead {
  readonly lastSeq: number
  readonly hash: Uint8Array
}

export interface BatchRow {
  readonly firstSeq: number
  readonly lastSeq: number
  readonly firstTime: Instant
  readonly lastTime: Instant
  readonly writtenAt: Instant
  readonly payload: string
  readonly previousHash: Uint8Array
  readonly hash: Uint8Array
}

/** A batch never covers more source time than this, so that a search by time has a bound on both sides. */
export const BATCH_SPAN_MS = 120_000

export async function readHead(db: Db): Promise<LogHead> {
  const row = await db
    .selectFrom('tick_batch')
    .select(['last_seq', 'hash'])
    .orderBy('first_seq', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row ? { lastSeq: Number(row.last_seq), hash: row.hash } : { lastSeq: 0, hash: GENESIS_HASH }
}

/** Appends one batch: a single statement, so it is either wholly there or not at all. */
export async function insertBatch(db: Db, batch: BatchRow): Promise<void> {
  await db
    .insertInto('tick_batch')
    .values({
      first_seq: batch.firstSeq,
      last_seq: batch.lastSeq,
      first_time_ms: batch.firstTime,
      last_time_ms: batch.lastTime,
      written_ms: batch.writtenAt,
      payload: batch.payload,
      previous_hash: batch.previousHash,
      hash: batch.hash,
    })
    .execute()
}

/** Batches after a place in the log, in order, at most `limit`. */
export async function batchesAfter(db: Db, seq: number, limit: number): Promise<BatchRow[]> {
  const rows = await db
    .selectFrom('tick_batch')
    .selectAll()
    .where('first_seq', '>', BigInt(seq))
    .orderBy('first_seq')
    .limit(limit)
    .execute()
  return rows.map((row) => ({
    firstSeq: Number(row.first_seq),
    lastSeq: Number(row.last_seq),
    firstTime: asInstant(row.first_time_ms),
    lastTime: asInstant(row.last_time_ms),
    writtenAt: asInstant(row.written_ms),
    payload: row.payload,
    previousHash: row.previous_hash,
    hash: row.hash,
  }))
}

/** The newest source time in the log; null when it is empty. */
export async function newestLoggedTime(db: Db): Promise<Instant | null> {
  const row = await db
    .selectFrom('tick_batch')
    .select('last_time_ms')
    .orderBy('last_time_ms', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row ? asInstant(row.last_time_ms) : null
}

/** Logged ticks with from <= source time <= to, in log order, of one symbol when it is given. */
export async function loggedTicks(db: Db, from: Instant, to: Instant, symbolId?: number): Promise<Tick[]> {
  const rows = await db
    .selectFrom('tick_batch')
    .select('payload')
    .where('last_time_ms', '>=', BigInt(from))
    .where('last_time_ms', '<=', BigInt(to + BATCH_SPAN_MS))
    .where('first_time_ms', '<=', BigInt(to))
    .orderBy('first_seq')
    .execute()
  return rows.flatMap((row) =>
    textToTicks(row.payload, symbolId).filter((tick) => tick.time >= from && tick.time <= to),
  )
}

function asInstant(ms: bigint): Instant {
  return Number(ms) as Instant
}
