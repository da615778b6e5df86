import { SILENCE_MS } from '#core/tickets/ticket-rules.ts'
import { later, MINUTE_MS } from '#core/time/instant.ts'
import type { Ctx } from '#server/platform/context/context.ts'
import { runPeriodically } from '#server/platform/jobs/run-periodically.ts'
import { closeSilentTickets } from '#server/users/tickets/tickets.queries.ts'

/**
 * Every 10 minutes, closes the tickets whose users have been silent for 14 days. Returns a function that stops the job.
 */
export function closeSilentPeriodically(ctx: Ctx): () => Promise<void> {
  return runPeriodically(ctx, {
    pauseMs: () => 10 * MINUTE_MS,
    run: () => closeSilent(ctx),
    failure: 'silent tickets are not closed, and are tried again',
  })
}

/** Closes the tickets that have waited for 14 days for a reply of their user. */
export async function closeSilent(ctx: Ctx): Promise<void> {
  const now = ctx.now()
  if (await closeSilentTickets(ctx.db, later(now, -SILENCE_MS), now))
    ctx.publish({ kind: 'back-office-changed', area: 'tickets' })
}
