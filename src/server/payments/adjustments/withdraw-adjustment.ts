import { type Result, ok, refuse } from '#core/result.ts'
import { type Actor, recordAction } from '#server/audit/record-action.ts'
import type { Ctx } from '#server/platform/context/context.ts'
import { closeCorrection, lockCorrection } from '#server/payments/adjustments/adjustments.queries.ts'
import { refuseDecidedCorrection } from '#server/payments/adjustments/decide-adjustment.ts'

/** Withdraws a pending adjustment on behalf of the staff member who requested it. No money moves. */
export async function withdrawCorrection(
  ctx: Ctx,
  { id, staffId, actor }: { readonly id: string; readonly staffId: string; readonly actor: Actor },
): Promise<Result<{ readonly outcome: 'withdrawn' }, 'not_found' | 'already_decided' | 'not_asked_by_you'>> {
  return ctx.db.transaction().execute(async (tx) => {
    const correction = await lockCorrection(tx, id)
    if (!correction) return refuse('not_found')
    if (correction.askedBy !== staffId) return refuse('not_asked_by_you')
    if (correction.state !== 'waiting') return refuseDecidedCorrection(correction)
    await closeCorrection(tx, id, { state: 'withdrawn', staffId: null, at: ctx.now(), words: '' })
    const change = { before: { state: 'waiting' }, after: { state: 'withdrawn', userId: correction.userId } }
    await recordAction(tx, ctx, actor, { target: id, outcome: 'done', ...change })
    return ok({ outcome: 'withdrawn' })
  })
}
