import { type Instant, SECOND_MS } from '#core/time/instant.ts'
import type { ServerRun } from '#server/platform/faults/server-run.queries.ts'

/** A running server writes its row once a second. After 10 s without a write the server counts as not running. */
const RUN_SILENT_MS = 10 * SECOND_MS

/** Whether a run that was not stopped counts as over, because it was last seen more than 10 s ago. */
export function isSilent(seenMs: number, nowMs: number): boolean {
  return nowMs - seenMs > RUN_SILENT_MS
}

/** How a run of a server ended. */
export interface RunEnd {
  readonly run: string
  readonly at: Instant
  readonly name: string
  /** `crash`: killed, lost with its machine, or without its database at the end. */
  readonly how: 'stop' | 'crash'
}

/** A time in which no server ran. */
export interface Downtime {
  readonly from: Instant
  readonly until: Instant
  readonly how: RunEnd['how']
}

/** How runs ended, latest first. */
export function runEnds(runs: readonly ServerRun[], now: Instant): RunEnd[] {
  return runs
    .flatMap(({ run, name, seenAt, stoppedAt }): RunEnd[] => {
      if (stoppedAt !== null) return [{ run, at: stoppedAt, name, how: 'stop' }]
      return isSilent(seenAt, now) ? [{ run, at: seenAt, name, how: 'crash' }] : []
    })
    .toSorted((a, b) => b.at - a.at)
}

/** Times without a running server, latest first. `runs` ascend by start time. */
export function downtimes(runs: readonly ServerRun[], now: Instant): Downtime[] {
  const found: Downtime[] = []
  let end: { at: Instant; how: RunEnd['how'] } | null = null
  for (const { startedAt, seenAt, stoppedAt } of runs) {
    if (end !== null && startedAt > end.at) found.push({ from: end.at, until: startedAt, how: end.how })
    const until = stoppedAt ?? (isSilent(seenAt, now) ? seenAt : now)
    if (end === null || until > end.at) end = { at: until, how: stoppedAt === null ? 'crash' : 'stop' }
  }
  return found.toReversed()
}
