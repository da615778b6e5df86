import { MOST_AHEAD_MS } from '#core/markets/tick.ts'
import { SECOND_MS } from '#core/time/instant.ts'
import { NAMED_APART_MS, type TrustedClock } from '#server/platform/clock/trusted-clock.ts'
import type { Ctx } from '#server/platform/context/context.ts'
import type { FaultBook } from '#server/platform/faults/fault-book.ts'
import { repeat } from '#server/platform/jobs/run-periodically.ts'

const LOOK_EVERY_MS = SECOND_MS / 2
/** A source may be ahead by `MOST_AHEAD_MS`. The rest allows for the transfer between two servers. */
const MAX_LOG_AHEAD_MS = MOST_AHEAD_MS + SECOND_MS / 2

export interface WatchClockOptions {
  readonly ctx: Pick<Ctx, 'clock' | 'log'>
  readonly faults: FaultBook
  /** Null for a clock passed in by a test. */
  readonly trusted: TrustedClock | null
  /** How far the newest price in the log is ahead of the clock. */
  readonly logAheadMs: () => number
}

/** Checks whether the time is trusted. Logs by how much it is off and what to do. */
export function lookAtClock({ faults, trusted, logAheadMs }: WatchClockOptions): void {
  if (trusted !== null) {
    trusted.look()
    const trouble = trusted.trouble()
    const seconds = (trouble?.ms ?? 0) / SECOND_MS
    faults.set('clock_jumped', trouble?.kind === 'jumped' ? { seconds } : null)
    faults.set('clocks_apart', trouble?.kind === 'apart' ? { seconds } : null)
    const apart = trusted.apartMs() ?? 0
    // A lower limit to end than to begin, because the query time makes the difference fluctuate.
    const named = faults.has('clock_drifts') ? NAMED_APART_MS / 2 : NAMED_APART_MS
    const drifts = trouble === null && Math.abs(apart) > named
    faults.set('clock_drifts', drifts ? { seconds: apart / SECOND_MS } : null)
  }
  const ahead = logAheadMs()
  faults.set('log_ahead', ahead > MAX_LOG_AHEAD_MS ? { seconds: ahead / SECOND_MS } : null)
}

/** Runs the check twice a second, until the returned function is called. */
export function watchClock(options: WatchClockOptions): () => Promise<void> {
  return repeat(options.ctx, {
    pauseMs: () => LOOK_EVERY_MS,
    run: () => Promise.resolve(lookAtClock(options)),
    failure: 'the clock could not be looked at',
  })
}
