import { makeEntry } from '#core/register/entry.ts'
import { HOUR_MS } from '#core/time/instant.ts'
import type { Tx } from '#server/platform/database/tables.ts'
import type { GatheredEntry } from '#server/register/close-minute.ts'
import { newestEntry } from '#server/register/register.queries.ts'

/** Sums up which servers run: at each start and normal stop, and each hour. */
export async function gatherRuns(tx: Tx, nowMs: number): Promise<readonly GatheredEntry[]> {
  const since = (await newestEntry(tx, 'run'))?.atMs ?? 0
  const runs = await tx
    .selectFrom('server_run')
    .select(['run', 'started_ms', 'seen_ms', 'stopped_ms'])
    .where('seen_ms', '>=', BigInt(since - HOUR_MS))
    .orderBy('started_ms')
    .orderBy('run')
    .execute()
  const isChanged = runs.some(({ started_ms: start, stopped_ms: stop }) => Number(stop ?? start) >= since)
  if (runs.length === 0 || (!isChanged && nowMs - since < HOUR_MS)) return []
  const listed = runs.map((run) => ({
    run: run.run,
    started_ms: Number(run.started_ms),
    seen_ms: Number(run.seen_ms),
    stopped_ms: run.stopped_ms === null ? null : Number(run.stopped_ms),
  }))
  return [makeEntry('run', { at_ms: nowMs, runs: listed })]
}
