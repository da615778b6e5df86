import { toHex } from '#core/proof/bytes.ts'
import { DAY_MS, instant, toIso } from '#core/time/instant.ts'
import type { Db } from '#server/platform/database/tables.ts'
import { wholeSince } from '#server/market-data/tick-log/tick-batch.queries.ts'
import type { TickDay } from '#server/market-data/tick-archive/tick-day.ts'

/** A finished day of the tick log, as it is published. */
export interface LogDay {
  readonly day: string
  readonly first_seq: number
  readonly last_seq: number
  readonly previous_hash: string
  readonly hash: string
  /** Whether the day's ticks are still stored. Retention deletes old ticks. */
  readonly is_kept: boolean
}

/** 3,660 days: a reply has at most ten years. */
const MAX_DAYS = 3_660

/** Lists the finished days, newest first. */
export async function readLogDays(db: Db): Promise<LogDay[]> {
  const rows = await db.selectFrom('log_day').selectAll().orderBy('day', 'desc').limit(MAX_DAYS).execute()
  const firstStoredSeq = await wholeSince(db)
  return rows.map((row) => ({
    day: toIso(instant(row.day * DAY_MS)).slice(0, 'yyyy-mm-dd'.length),
    first_seq: Number(row.first_seq),
    last_seq: Number(row.last_seq),
    previous_hash: toHex(row.previous_hash),
    hash: toHex(row.hash),
    is_kept: firstStoredSeq !== null && Number(row.first_seq) >= firstStoredSeq,
  }))
}

export async function newestLogDay(db: Db): Promise<number | null> {
  const row = await db.selectFrom('log_day').select('day').orderBy('day', 'desc').limit(1).executeTakeFirst()
  return row?.day ?? null
}

/** Inserts a day. An existing row stays unchanged. */
export async function noteLogDay(db: Db, day: number, found: TickDay, now: number): Promise<void> {
  await db
    .insertInto('log_day')
    .values({
      day,
      first_seq: found.firstSeq,
      last_seq: found.lastSeq,
      previous_hash: found.previousHash,
      hash: found.hash,
      noted_ms: now,
    })
    .onConflict((conflict) => conflict.column('day').doNothing())
    .execute()
}
