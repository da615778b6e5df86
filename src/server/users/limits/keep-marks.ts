import { MINUTE_MS } from '#core/time/instant.ts'
import { addMarks, dropOldMarks, MARK_INTERVAL_MS } from '#server/ledger/limit-marks.queries.ts'
import type { Ctx } from '#server/platform/context/context.ts'
import { runPeriodically } from '#server/platform/jobs/run-periodically.ts'
import { clearEndedBreaks } from '#server/users/limits/breaks.queries.ts'

/**
 * Regularly stores marks, from which the use of limits per day, week or month is computed. Also lets orders of users
 * whose time-out is over use the faster statement again. Several servers may run this at the same time. A missing mark
 * is safe, because it makes the counted time longer, never shorter. Returns a function that stops it.
 */
export function keepMarksPeriodically(ctx: Ctx): () => Promise<void> {
  const run = async (): Promise<void> => {
    await addMarks(ctx.db)
    await dropOldMarks(ctx.db)
    await clearEndedBreaks(ctx.db)
  }
  // The pause is one minute shorter than the interval, because a run takes time too.
  return runPeriodically(ctx, {
    pauseMs: () => MARK_INTERVAL_MS - MINUTE_MS,
    run,
    failure: 'the marks of own limits are not kept',
  })
}
