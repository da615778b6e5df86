import { makeEntry } from '#core/register/entry.ts'
import { HOUR_MS } from '#core/time/instant.ts'
import { isSilent } from '#server/platform/faults/run-history.ts'
import type { Tx } from '#server/platform/database/tables.ts'
import type { GatheredEntry } from '#server/register/close-minute.ts'
import { newestEntry } from '#server/register/register.queries.ts'

/**
 * Makes an entry that lists the runs of all servers. It does so after a server started, accepted its first orders or
 * stopped normally, and at least once an hour.
 */
export async function gatherRuns(tx: Tx, nowMs: number): Promise<readonly GatheredEntry[]> {
  const since = (await newestEntry(tx, 'run'))?.atMs ?? 0
  const rows = await tx
    .selectFrom('server_run')
    .select(['run', 'started_ms', 'ready_ms', 'seen_ms', 'stopped_ms'])
    .where('seen_ms', '>=', BigInt(since - HOUR_MS))
    .orderBy('started_ms')
    .orderBy('run')
    .execute()
  const runs = rows.map((row) => ({
    run: row.run,
    started_ms: Number(row.started_ms),
    ready_ms: row.ready_ms === null ? null : Number(row.ready_ms),
    seen_ms: Number(row.seen_ms),
    stopped_ms: row.stopped_ms === null ? null : Number(row.stopped_ms),
  }))
  const isChanged = runs.some((run) => (run.stopped_ms ?? run.ready_ms ?? run.started_ms) >= since)
  if (runs.length === 0 || (!isChanged && nowMs - since < HOUR_MS)) return []
  const listed = runs.map((run) => ({ ...run, how: endOf(run, nowMs) }))
  return [makeEntry('run', { at_ms: nowMs, runs: listed })]
}

/**
 * Returns how the run of a server ended, or null while the server runs. A server that is silent for too long counts as
 * crashed.
 */
function endOf(run: { readonly seen_ms: number; readonly stopped_ms: number | null }, nowMs: number) {
  if (run.stopped_ms !== null) return 'clean'
  return isSilent(run.seen_ms, nowMs) ? 'crash' : null
}
