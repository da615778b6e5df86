import { MINUTE_MS } from '#core/time/instant.ts'
import { addMarks, dropOldMarks, MARK_INTERVAL_MS } from '#server/ledger/limit-marks.queries.ts'
import type { Ctx } from '#server/platform/context/context.ts'
import { runPeriodically } from '#server/platform/jobs/run-periodically.ts'
import { clearEndedBreaks } from '#server/users/limits/breaks.queries.ts'

/**
 * Stores marks for users with limits on a window of time. Users whose time-out is over return to the faster of the
 * accepting statements. Any server may do this, also twice: a missing mark makes a window longer, never shorter.
 * Returns a function that stops it.
 */
export function keepMarksPeriodically(ctx: Ctx): () => Promise<void> {
  const run = async (): Promise<void> => {
    await addMarks(ctx.db)
    await dropOldMarks(ctx.db)
    await clearEndedBreaks(ctx.db)
  }
  // A minute is left for the run itself.
  return runPeriodically(ctx, {
    pauseMs: () => MARK_INTERVAL_MS - MINUTE_MS,
    run,
    failure: 'the marks of own limits are not kept',
  })
}
