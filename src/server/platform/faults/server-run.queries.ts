import { sql } from 'kysely'
import { type Instant, instant } from '#core/time/instant.ts'
import type { Db } from '#server/platform/database/tables.ts'

/** One process run of a server, from its start until it was last seen. */
export interface ServerRun {
  readonly run: string
  readonly name: string
  readonly startedAt: Instant
  readonly seenAt: Instant
  /** When the server was stopped normally; null while it runs and after a crash. */
  readonly stoppedAt: Instant | null
}

/** The time of the database's clock, in milliseconds since 1970. */
const DATABASE_NOW = sql<bigint>`(extract(epoch from clock_timestamp()) * 1000)::int8`

/**
 * Records that a server runs and whether it accepts orders, and returns the database's time. The statement writes, so
 * it fails when the database cannot write.
 */
export async function noteRun(
  db: Db,
  {
    run,
    name,
    startedAt,
    now,
    isReady,
  }: { run: string; name: string; startedAt: Instant; now: Instant; isReady: boolean },
): Promise<number> {
  const readyMs = isReady ? now : null
  const { rows } = await sql<{ at: bigint }>`
    insert into server_run (run, name, started_ms, seen_ms, ready_ms)
    values (${run}, ${name}, ${startedAt}, ${now}, ${readyMs})
    on conflict (run) do update
    set seen_ms = excluded.seen_ms, ready_ms = coalesce(server_run.ready_ms, excluded.ready_ms)
    returning ${DATABASE_NOW} as at`.execute(db)
  return Number(rows[0]?.at ?? 0n)
}

/** Records that a server was stopped normally. */
export async function noteStop(db: Db, run: string, now: Instant): Promise<void> {
  await db.updateTable('server_run').set({ seen_ms: now, stopped_ms: now }).where('run', '=', run).execute()
}

/** Lists runs seen at or after `since`, and the last run before `since`, ascending by start time. */
export async function listRuns(db: Db, since: Instant): Promise<ServerRun[]> {
  const { rows } = await sql<{
    run: string
    name: string
    started_ms: bigint
    seen_ms: bigint
    stopped_ms: bigint | null
  }>`
    select * from server_run
    where seen_ms >= ${since}::int8
      or seen_ms = (select max(seen_ms) from server_run where seen_ms < ${since}::int8)
    order by started_ms, run`.execute(db)
  return rows.map((row) => ({
    run: row.run,
    name: row.name,
    startedAt: instant(row.started_ms),
    seenAt: instant(row.seen_ms),
    stoppedAt: row.stopped_ms === null ? null : instant(row.stopped_ms),
  }))
}
