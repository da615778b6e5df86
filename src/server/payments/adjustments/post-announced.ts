import { MINUTE_MS } from '#core/time/instant.ts'
import { postTransfers } from '#server/ledger/post-transfers.ts'
import { adjustmentHash } from '#server/payments/adjustments/adjustment-hash.ts'
import { adjustmentTransfer } from '#server/payments/adjustments/adjustment-transfer.ts'
import { listDueAdjustments, lockAdjustment, moveAdjustment } from '#server/payments/adjustments/adjustments.queries.ts'
import type { Ctx } from '#server/platform/context/context.ts'
import { runPeriodically } from '#server/platform/jobs/run-periodically.ts'

/** Posts announced adjustments each minute. Returns a function that stops it. */
export function postAnnouncedPeriodically(ctx: Ctx): () => Promise<void> {
  const run = () => postAnnounced(ctx)
  return runPeriodically(ctx, { pauseMs: () => MINUTE_MS, run, failure: 'announced adjustments are not posted' })
}

/**
 * Posts the announced adjustments whose time has come. An adjustment that takes more than the available balance stays
 * announced, so stakes and pending withdrawals are never touched.
 */
export async function postAnnounced(ctx: Ctx): Promise<void> {
  for (const id of await listDueAdjustments(ctx.db, ctx.now())) {
    const userId = await ctx.db.transaction().execute(async (tx) => {
      const adjustment = await lockAdjustment(tx, id)
      if (adjustment?.state !== 'announced' || adjustmentHash(adjustment) !== adjustment.contentHash) return null
      if (adjustment.cash + adjustment.amount < 0n) return null
      const now = ctx.now()
      await postTransfers(tx, [adjustmentTransfer(adjustment)], now)
      await moveAdjustment(tx, id, { state: 'posted', posted_ms: now })
      return adjustment.userId
    })
    if (userId === null) continue
    ctx.publish({ kind: 'balance-changed', userId })
    ctx.publish({ kind: 'back-office-changed', area: 'corrections' })
  }
}
