import { type Transfer, transfer } from '#core/ledger/transfer.ts'
import { money, moneyText } from '#core/money/money.ts'
import { type Refusal, type Result, ok, refuse } from '#core/result.ts'
import { type ApprovalRefusal, checkAdjustment, lockApprovals } from '#server/audit/check-dual-approval.ts'
import { type Actor, recordAction } from '#server/audit/record-action.ts'
import { refuseDecided } from '#server/audit/deciders.ts'
import type { Ctx } from '#server/platform/context/context.ts'
import { adjustmentHash } from '#server/payments/adjustments/adjustment-hash.ts'
import { closeAdjustment, type Adjustment, lockAdjustment } from '#server/payments/adjustments/adjustments.queries.ts'
import { postTransfers } from '#server/ledger/post-transfers.ts'

interface Decision {
  readonly id: string
  readonly state: 'posted' | 'rejected'
  /** The content hash that the deciding staff member saw. */
  readonly seenHash: string
  readonly staffId: string
  readonly mode: 'demo' | 'live'
  /** The reason for a rejection. */
  readonly words: string
  readonly actor: Actor
}

export type AdjustmentRefusal =
  | 'not_found'
  | 'already_decided'
  | 'asked_yourself'
  | 'content_changed'
  | 'correction_below_zero'
  | Exclude<ApprovalRefusal, 'second_person_needed'>

/**
 * Posts or rejects an adjustment, once. The decision must come from another staff member than the request.
 * The posted content is exactly the requested one. An adjustment whose content changed can only be rejected. A negative
 * adjustment never takes more than the available balance.
 */
export async function decideAdjustment(
  ctx: Ctx,
  { id, state, seenHash, staffId, mode, words, actor }: Decision,
): Promise<Result<Adjustment, AdjustmentRefusal>> {
  const now = ctx.now()
  const done = await ctx.db.transaction().execute(async (tx) => {
    if (state === 'posted') await lockApprovals(tx)
    const correction = await lockAdjustment(tx, id)
    if (!correction) return refuse('not_found')
    if (correction.state !== 'waiting') return refuseDecidedAdjustment(correction)
    const hash = adjustmentHash(correction)
    const { requestedBy, requestedAt, userId, amount } = correction
    const isOwn = requestedBy === staffId
    if (hash !== seenHash) return refuse('content_changed')
    if (state === 'rejected' && isOwn) return refuse('asked_yourself')
    if (state === 'posted') {
      const first = { staffId: requestedBy, at: requestedAt }
      const content = { subject: id, contentHash: hash, actor, userId, amount: money(amount < 0n ? -amount : amount) }
      const admitted = await checkAdjustment(tx, ctx, { ...content, first, staffId, mode })
      if (admitted !== 'decide') return admitted
      if (hash !== correction.contentHash) return refuse('content_changed')
      if (correction.cash + correction.amount < 0n) return refuse('correction_below_zero')
      await postTransfers(tx, [transferOf(correction)], now)
    }
    await closeAdjustment(tx, id, { state, staffId, at: now, words })
    await recordAction(tx, ctx, actor, {
      target: id,
      reason: words,
      outcome: 'done',
      before: { state: 'waiting' },
      after: { state, userId: correction.userId, amount: moneyText(correction.amount), contentHash: hash },
    })
    return ok({ ...correction, state })
  })
  if (done.ok && state === 'posted') ctx.publish({ kind: 'balance-changed', userId: done.value.userId })
  return done
}

/** Returns the refusal that names who decided the adjustment earlier. */
export function refuseDecidedAdjustment(correction: Adjustment): Refusal<'already_decided'> {
  const { state, requestedByName, decidedByName, decidedAt } = correction
  if (state === 'withdrawn' && decidedAt !== null)
    return refuseDecided('withdrawn', { who: requestedByName, at: decidedAt })
  const by = decidedByName === null || decidedAt === null ? null : { who: decidedByName, at: decidedAt }
  return refuseDecided(state === 'posted' ? 'approved' : 'rejected', by)
}

/** Builds the transfer between the user's cash and the house. Its key makes a second posting impossible. */
function transferOf({ id, userId, amount }: Adjustment): Transfer {
  const isIn = amount > 0n
  return transfer(isIn ? 'correction_in' : 'correction_out', {
    userId,
    ref: id,
    amount: money(isIn ? amount : -amount),
  })
}
