import { type Money, moneyText } from '#core/money/money.ts'
import { trxFrom, TRX_BYTES } from '#core/orders/trx.ts'
import { type Result, ok, refuse } from '#core/result.ts'
import { addsMoney, type AdjustmentKind, checkRequested } from '#core/wallet/adjustment-rules.ts'
import { mayAsk } from '#server/audit/approvers.queries.ts'
import { type Actor, recordAction } from '#server/audit/record-action.ts'
import type { Ctx } from '#server/platform/context/context.ts'
import { adjustmentHash } from '#server/payments/adjustments/adjustment-hash.ts'
import { findLinkedRecord, insertAdjustment } from '#server/payments/adjustments/adjustments.queries.ts'
import { hasUser } from '#server/users/accounts/users.queries.ts'
import { lockLimits } from '#server/users/limits/limits.queries.ts'

interface AdjustmentRequest {
  readonly userId: string
  readonly kind: AdjustmentKind
  /** The reference of the deposit or adjustment that a negative adjustment takes back. */
  readonly link: string
  /** A positive amount adds money, a negative amount removes it. */
  readonly amount: Money
  /** The reason for staff. */
  readonly reason: string
  /** The reason that the user reads. */
  readonly message: string
  readonly staffId: string
  readonly actor: Actor
}

/** Requests an adjustment of a balance. No money moves before another staff member has approved it. */
export async function requestAdjustment(
  ctx: Ctx,
  { userId, kind, amount, reason, message, staffId: requestedBy, actor, ...request }: AdjustmentRequest,
): Promise<Result<{ readonly id: string }, 'not_found' | 'reason_needed' | 'not_approver' | 'correction_not_allowed'>> {
  if (reason === '') return refuse('reason_needed')
  if (message === '') return refuse('reason_needed', { field: 'message' })
  if (!(await hasUser(ctx.db, userId))) return refuse('not_found')
  if (!(await mayAsk(ctx, ctx.db, requestedBy))) return refuse('not_approver')
  const now = ctx.now()
  const link = addsMoney(kind) ? null : request.link
  const trx = trxFrom(ctx.randomBytes(TRX_BYTES), now)
  const adjustment = { id: ctx.newId(), userId, trx, kind, link, message, amount, reason, requestedBy }
  const contentHash = adjustmentHash(adjustment)
  return ctx.db.transaction().execute(async (tx) => {
    // The lock makes two requests about one deposit run one after the other, so that together they take back no more
    // than it added. It covers the user and the balance in the order of all transactions, so that none can deadlock.
    await lockLimits(tx, userId)
    const linked = link === null || link === '' ? null : await findLinkedRecord(tx, { userId, link })
    const checked = checkRequested({ kind, amount }, linked)
    if (!checked.ok) return checked
    await insertAdjustment(tx, { ...adjustment, contentHash, requestedAt: now })
    await recordAction(tx, ctx, actor, {
      target: adjustment.id,
      reason,
      outcome: 'done',
      after: { state: 'waiting', userId, kind, link, amount: moneyText(amount), contentHash },
    })
    return ok({ id: adjustment.id })
  })
}
