import { MAX_CLOCK_SKEW_MS } from '#core/markets/tick.ts'
import { SECOND_MS } from '#core/time/instant.ts'
import { LOGGED_SKEW_MS, type TrustedClock } from '#server/platform/clock/trusted-clock.ts'
import type { Ctx } from '#server/platform/context/context.ts'
import type { FaultRegistry } from '#server/platform/faults/fault-registry.ts'
import { runPeriodically } from '#server/platform/jobs/run-periodically.ts'

const LOOK_EVERY_MS = SECOND_MS / 2
/** A source may be ahead by `MAX_CLOCK_SKEW_MS`. A further 0.5 s allows for the transfer between two servers. */
const MAX_LOG_LEAD_MS = MAX_CLOCK_SKEW_MS + SECOND_MS / 2

export interface WatchClockOptions {
  readonly ctx: Pick<Ctx, 'clock' | 'log'>
  readonly faults: FaultRegistry
  /** Null for a clock passed in by a test. */
  readonly trusted: TrustedClock | null
  /** How far the newest price in the tick log is ahead of the clock. */
  readonly logLeadMs: () => number
}

/** Checks whether the time is trusted. Logs how far the time is off and what to do. */
export function lookAtClock({ faults, trusted, logLeadMs }: WatchClockOptions): void {
  if (trusted !== null) {
    trusted.look()
    const trouble = trusted.trouble()
    const seconds = (trouble?.ms ?? 0) / SECOND_MS
    faults.set('clock_jumped', trouble?.kind === 'jumped' ? { seconds } : null)
    faults.set('clocks_apart', trouble?.kind === 'apart' ? { seconds } : null)
    const skewMs = trusted.skewMs() ?? 0
    // The fault begins when the difference is more than the limit, and ends when it is less than half the limit. With
    // one limit the fault would begin and end often, because the duration of the query makes the measured difference
    // fluctuate.
    const named = faults.has('clock_drifts') ? LOGGED_SKEW_MS / 2 : LOGGED_SKEW_MS
    const drifts = trouble === null && Math.abs(skewMs) > named
    faults.set('clock_drifts', drifts ? { seconds: skewMs / SECOND_MS } : null)
  }
  const leadMs = logLeadMs()
  faults.set('log_ahead', leadMs > MAX_LOG_LEAD_MS ? { seconds: leadMs / SECOND_MS } : null)
}

/** Runs the check twice a second, until the returned function is called. */
export function watchClock(options: WatchClockOptions): () => Promise<void> {
  return runPeriodically(options.ctx, {
    pauseMs: () => LOOK_EVERY_MS,
    run: () => Promise.resolve(lookAtClock(options)),
    failure: 'the clock could not be looked at',
  })
}
