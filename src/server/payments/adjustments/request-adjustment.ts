import { type Money, moneyText } from '#core/money/money.ts'
import { type Result, ok, refuse } from '#core/result.ts'
import { mayAsk } from '#server/audit/approvers.queries.ts'
import { type Actor, recordAction } from '#server/audit/record-action.ts'
import type { Ctx } from '#server/platform/context/context.ts'
import { adjustmentHash } from '#server/payments/adjustments/adjustment-hash.ts'
import { insertAdjustment } from '#server/payments/adjustments/adjustments.queries.ts'
import { hasUser } from '#server/users/accounts/users.queries.ts'

interface AdjustmentRequest {
  readonly userId: string
  /** A positive amount adds money, a negative one removes it. */
  readonly amount: Money
  readonly reason: string
  readonly staffId: string
  readonly actor: Actor
}

/** Requests an adjustment of a balance. No money moves before another staff member has approved it. */
export async function requestAdjustment(
  ctx: Ctx,
  { userId, amount, reason, staffId: requestedBy, actor }: AdjustmentRequest,
): Promise<Result<{ readonly id: string }, 'not_found' | 'amount_invalid' | 'reason_needed' | 'not_approver'>> {
  if (amount === 0n) return refuse('amount_invalid')
  if (reason === '') return refuse('reason_needed')
  if (!(await hasUser(ctx.db, userId))) return refuse('not_found')
  if (!(await mayAsk(ctx, ctx.db, requestedBy))) return refuse('not_approver')
  const adjustment = { id: ctx.newId(), userId, amount, reason, requestedBy }
  const contentHash = adjustmentHash(adjustment)
  await ctx.db.transaction().execute(async (tx) => {
    await insertAdjustment(tx, { ...adjustment, contentHash, requestedAt: ctx.now() })
    await recordAction(tx, ctx, actor, {
      target: adjustment.id,
      reason,
      outcome: 'done',
      after: { state: 'waiting', userId, amount: moneyText(amount), contentHash },
    })
  })
  return ok({ id: adjustment.id })
}
