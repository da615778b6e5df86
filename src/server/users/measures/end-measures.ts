import type { MeasureKind } from '#core/accounts/measures.ts'
import { MINUTE_MS } from '#core/time/instant.ts'
import type { Ctx } from '#server/platform/context/context.ts'
import { runPeriodically } from '#server/platform/jobs/run-periodically.ts'
import { lockAccount } from '#server/users/accounts/users.queries.ts'
import { endMeasure, listDueMeasures, runningMeasures } from '#server/users/accounts/measures.queries.ts'

/** Ends measures whose time is over, each minute. Returns a function that stops it. */
export function endMeasuresPeriodically(ctx: Ctx): () => Promise<void> {
  const run = () => endDueMeasures(ctx)
  return runPeriodically(ctx, { pauseMs: () => MINUTE_MS, run, failure: 'measures against users do not end' })
}

/** Ends each measure whose time is over. */
export async function endDueMeasures(ctx: Ctx): Promise<void> {
  for (const { id, userId, kind } of await listDueMeasures(ctx.db, ctx.now())) {
    const isOver = await ctx.db.transaction().execute(async (tx) => {
      // The account is locked first, as when staff change a measure, so that the two cannot deadlock.
      await lockAccount(tx, { userId })
      const now = ctx.now()
      const measure = (await runningMeasures(tx, userId)).find((one) => one.id === id)
      // Staff may have renewed the measure since the list was read.
      if (measure === undefined || measure.until === null || measure.until > now) return false
      return endMeasure(tx, id, now)
    })
    if (isOver) publishEnd(ctx, userId, kind)
  }
}

function publishEnd(ctx: Ctx, userId: string, kind: MeasureKind): void {
  if (kind === 'trade_off') ctx.publish({ kind: 'trade-status-changed', userId })
  else if (kind !== 'sign_in_off') ctx.publish({ kind: 'balance-changed', userId })
}
