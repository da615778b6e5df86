import { type Result, ok, refuse } from '#core/result.ts'
import type { Ctx } from '#server/platform/context/context.ts'
import {
  type Adjustment,
  findOwnAdjustment,
  lockAdjustment,
  moveAdjustment,
} from '#server/payments/adjustments/adjustments.queries.ts'

/**
 * Stops an announced adjustment at the user's request, once. Two staff members who had no part in the adjustment then
 * decide again.
 */
export async function disputeAdjustment(
  ctx: Ctx,
  { userId, trx }: { readonly userId: string; readonly trx: string },
): Promise<Result<Adjustment, 'not_found' | 'adjustment_decided'>> {
  const id = await findOwnAdjustment(ctx.db, userId, trx)
  if (id === null) return refuse('not_found')
  const disputed = await ctx.db.transaction().execute(async (tx) => {
    const adjustment = await lockAdjustment(tx, id)
    if (adjustment === null || adjustment.postsAt === null) return refuse('not_found')
    if (adjustment.state !== 'announced' || adjustment.disputedAt !== null) return refuse('adjustment_decided')
    const disputedAt = ctx.now()
    await moveAdjustment(tx, id, { state: 'disputed', disputed_ms: disputedAt })
    return ok({ ...adjustment, state: 'disputed' as const, disputedAt })
  })
  if (disputed.ok) ctx.publish({ kind: 'back-office-changed', area: 'corrections' })
  return disputed
}
