import { sql } from 'kysely'
import { agreedBounds, type ClockBounds, provenErrorMs } from '#core/time/clock-bounds.ts'
import { type Instant, instant, later, MINUTE_MS } from '#core/time/instant.ts'
import type { Db, Tx } from '#server/platform/database/tables.ts'

/** How far a server's clock was ahead of another clock. */
export interface MeasuredClock extends ClockBounds {
  /** A provider's name, `database`, or the name of a witness. */
  readonly source: string
}

/** One measurement of all clocks. */
export interface ClockMinute {
  readonly at: Instant
  readonly clocks: readonly MeasuredClock[]
}

/** The database's clock is shown only. It does not judge our clock, because it belongs to the operator like the servers' clocks. */
export const DATABASE_CLOCK = 'database'

/**
 * The smallest error that our clock must have according to most clocks of one measurement, in ms. Null when they agree
 * on no time.
 */
export function clockErrorMs(clocks: readonly MeasuredClock[]): number | null {
  const agreed = agreedBounds(clocks.filter(({ source }) => source !== DATABASE_CLOCK))
  return agreed && provenErrorMs(agreed)
}

/** 3 minutes: an older measurement is not shown. */
const SHOWN_MS = 3 * MINUTE_MS

export async function insertClockMinute(db: Db, { at, clocks }: ClockMinute): Promise<void> {
  if (clocks.length === 0) return
  await db
    .insertInto('clock_minute')
    .values(clocks.map(({ source, lowMs, highMs }) => ({ at_ms: at, source, low_ms: lowMs, high_ms: highMs })))
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/** The newest measurement; null when there is none of the last three minutes. Measurements with a later time are from before the clock was set back. */
export async function newestClockMinute(db: Db, now: Instant): Promise<ClockMinute | null> {
  const minutes = await clockMinutes(db, later(now, -SHOWN_MS))
  return minutes.findLast(({ at }) => at <= now) ?? null
}

/** Lists the measurements after a time, oldest first. */
export async function clockMinutes(db: Db | Tx, after: Instant): Promise<ClockMinute[]> {
  const rows = await db
    .selectFrom('clock_minute')
    .selectAll()
    .where('at_ms', '>', BigInt(after))
    .orderBy('at_ms')
    .orderBy('source')
    .execute()
  const minutes = new Map<bigint, MeasuredClock[]>()
  for (const { at_ms: atMs, source, low_ms: low, high_ms: high } of rows) {
    const clocks = minutes.get(atMs) ?? []
    clocks.push({ source, lowMs: low === null ? null : Number(low), highMs: high === null ? null : Number(high) })
    minutes.set(atMs, clocks)
  }
  return [...minutes].map(([atMs, clocks]) => ({ at: instant(atMs), clocks }))
}

/** Asks the database for its time, in ms since 1970. */
export async function databaseTime(db: Db): Promise<number> {
  const { rows } = await sql<{ ms: bigint }>`
    select (extract(epoch from clock_timestamp()) * 1000)::int8 as ms`.execute(db)
  return Number(rows[0]?.ms)
}

/** Deletes measurements older than 90 days. */
export async function dropClockMinutes(db: Db): Promise<void> {
  await sql`select drop_clock_minutes()`.execute(db)
}
