import { moneyText } from '#core/money/money.ts'
import { type Refusal, type Result, ok, refuse } from '#core/result.ts'
import { later } from '#core/time/instant.ts'
import { checkDualApproval } from '#server/audit/check-dual-approval.ts'
import { refuseDecided } from '#server/audit/deciders.ts'
import { dropApproval } from '#server/audit/dual-approval.ts'
import { type Actor, recordAction } from '#server/audit/record-action.ts'
import { postTransfers } from '#server/ledger/post-transfers.ts'
import { adjustmentHash } from '#server/payments/adjustments/adjustment-hash.ts'
import { adjustmentTransfer } from '#server/payments/adjustments/adjustment-transfer.ts'
import {
  closeAdjustment,
  type Adjustment,
  lockAdjustment,
  moveAdjustment,
} from '#server/payments/adjustments/adjustments.queries.ts'
import type { Ctx } from '#server/platform/context/context.ts'
import type { Tx } from '#server/platform/database/tables.ts'

interface Decision {
  readonly id: string
  readonly decision: 'approve' | 'reject'
  /** How long a negative adjustment is announced before it is posted. */
  readonly announcedMs: number
  /** The content hash that the deciding staff member saw. */
  readonly seenHash: string
  readonly staffId: string
  /** The reason for a rejection. */
  readonly words: string
  readonly actor: Actor
}

export type AdjustmentRefusal =
  | 'not_found'
  | 'already_decided'
  | 'asked_yourself'
  | 'content_changed'
  | 'second_person_needed'

/**
 * Approves or rejects an adjustment. The decision must come from another staff member than the request.
 * A positive one is posted at once, exactly as requested. A negative one is announced to the user, and posted later.
 * A disputed one is announced again only by two staff members who had no part in it. One whose content changed can only
 * be rejected.
 */
export async function decideAdjustment(ctx: Ctx, decided: Decision): Promise<Result<Adjustment, AdjustmentRefusal>> {
  const { id, decision, seenHash, staffId } = decided
  const done = await ctx.db.transaction().execute(async (tx) => {
    const adjustment = await lockAdjustment(tx, id)
    if (!adjustment) return refuse('not_found')
    const isOpen = ['waiting', 'announced', 'disputed'].includes(adjustment.state)
    if (!isOpen || (decision === 'approve' && adjustment.state === 'announced'))
      return refuseDecidedAdjustment(adjustment)
    if (adjustment.requestedBy === staffId) return refuse('asked_yourself')
    const hash = adjustmentHash(adjustment)
    if (hash !== seenHash || (decision === 'approve' && hash !== adjustment.contentHash))
      return refuse('content_changed')
    return decision === 'approve'
      ? await approve(tx, ctx, adjustment, decided)
      : await reject(tx, ctx, adjustment, decided)
  })
  if (done.ok && done.value.state === 'posted') ctx.publish({ kind: 'balance-changed', userId: done.value.userId })
  return done
}

type Decided = Result<Adjustment, AdjustmentRefusal>

async function approve(tx: Tx, ctx: Ctx, adjustment: Adjustment, decided: Decision): Promise<Decided> {
  const { id, amount, state } = adjustment
  const { staffId, announcedMs } = decided
  const now = ctx.now()
  if (state === 'disputed') return await settleDispute(tx, ctx, adjustment, decided)
  if (amount > 0n) {
    await postTransfers(tx, [adjustmentTransfer(adjustment)], now)
    await closeAdjustment(tx, id, { state: 'posted', staffId, at: now, words: '', postedAt: now })
    return await recorded(tx, ctx, { ...adjustment, state: 'posted' }, decided)
  }
  const postsAt = later(now, announcedMs)
  await closeAdjustment(tx, id, { state: 'announced', staffId, at: now, words: '', postsAt })
  return await recorded(tx, ctx, { ...adjustment, state: 'announced', postsAt }, decided)
}

async function settleDispute(tx: Tx, ctx: Ctx, adjustment: Adjustment, decided: Decision): Promise<Decided> {
  const { id, decidedBy, contentHash } = adjustment
  if (decidedBy === decided.staffId) return refuse('asked_yourself')
  const content = { kind: 'correction', subject: id, contentHash, actor: decided.actor, needsTwo: true } as const
  const admitted = await checkDualApproval(tx, ctx, content)
  if (admitted === 'first') return ok(adjustment)
  if (admitted !== 'decide') return admitted
  await moveAdjustment(tx, id, { state: 'announced' })
  return await recorded(tx, ctx, { ...adjustment, state: 'announced' }, decided)
}

async function reject(tx: Tx, ctx: Ctx, adjustment: Adjustment, decided: Decision): Promise<Decided> {
  const { id, postsAt } = adjustment
  await dropApproval(tx, 'correction', id)
  const announced = postsAt === null ? {} : { postsAt }
  const by = { staffId: decided.staffId, at: ctx.now(), words: decided.words, ...announced }
  await closeAdjustment(tx, id, { state: 'rejected', ...by })
  return await recorded(tx, ctx, { ...adjustment, state: 'rejected' }, decided)
}

async function recorded(tx: Tx, ctx: Ctx, after: Adjustment, { words, actor }: Decision): Promise<Decided> {
  const { id, state, userId, amount, contentHash } = after
  await recordAction(tx, ctx, actor, {
    target: id,
    reason: words,
    outcome: 'done',
    after: { state, userId, amount: moneyText(amount), contentHash },
  })
  return ok(after)
}

/** Returns the refusal that names who decided the adjustment earlier. */
export function refuseDecidedAdjustment(correction: Adjustment): Refusal<'already_decided'> {
  const { state, requestedByName, decidedByName, decidedAt } = correction
  if (state === 'withdrawn' && decidedAt !== null)
    return refuseDecided('withdrawn', { who: requestedByName, at: decidedAt })
  const by = decidedByName === null || decidedAt === null ? null : { who: decidedByName, at: decidedAt }
  return refuseDecided(state === 'rejected' ? 'rejected' : 'approved', by)
}
