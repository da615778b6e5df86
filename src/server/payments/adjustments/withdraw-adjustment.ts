import { type Result, ok, refuse } from '#core/result.ts'
import { type Actor, recordAction } from '#server/audit/record-action.ts'
import type { Ctx } from '#server/platform/context/context.ts'
import { closeAdjustment, lockAdjustment } from '#server/payments/adjustments/adjustments.queries.ts'
import { refuseDecidedAdjustment } from '#server/payments/adjustments/decide-adjustment.ts'

/** Withdraws a pending adjustment on behalf of the staff member who requested it. No money moves. */
export async function withdrawAdjustment(
  ctx: Ctx,
  { id, staffId, actor }: { readonly id: string; readonly staffId: string; readonly actor: Actor },
): Promise<Result<{ readonly outcome: 'withdrawn' }, 'not_found' | 'already_decided' | 'not_asked_by_you'>> {
  return ctx.db.transaction().execute(async (tx) => {
    const correction = await lockAdjustment(tx, id)
    if (!correction) return refuse('not_found')
    if (correction.requestedBy !== staffId) return refuse('not_asked_by_you')
    if (correction.state !== 'waiting') return refuseDecidedAdjustment(correction)
    await closeAdjustment(tx, id, { state: 'withdrawn', staffId: null, at: ctx.now(), words: '' })
    const change = { before: { state: 'waiting' }, after: { state: 'withdrawn', userId: correction.userId } }
    await recordAction(tx, ctx, actor, { target: id, outcome: 'done', ...change })
    return ok({ outcome: 'withdrawn' })
  })
}
