import { money, moneyText } from '#core/money/money.ts'
import { type Refusal, type Result, ok, refuse } from '#core/result.ts'
import { later } from '#core/time/instant.ts'
import { ANNOUNCED_MS } from '#core/wallet/adjustment-rules.ts'
import {
  type ApprovalRefusal,
  checkAdjustment,
  checkTwoPeople,
  lockApprovals,
} from '#server/audit/check-dual-approval.ts'
import { endApprovals } from '#server/audit/dual-approval.ts'
import { refuseDecided } from '#server/audit/deciders.ts'
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
  /** The hash of the content that the staff member saw. A decision on changed content is refused. */
  readonly seenHash: string
  readonly staffId: string
  readonly mode: 'demo' | 'live'
  /** The reason for a rejection. */
  readonly words: string
  readonly actor: Actor
}

export type AdjustmentRefusal = 'not_found' | 'already_decided' | 'asked_yourself' | 'content_changed' | ApprovalRefusal

/**
 * Approves or rejects an adjustment. Its request is the first of two approvals. A positive adjustment is posted at
 * once, exactly as requested. A negative one is announced to the user, and posted later. A disputed adjustment is
 * announced again only by two staff members who had no part in it before. An adjustment whose content changed can only
 * be rejected.
 */
export async function decideAdjustment(ctx: Ctx, decided: Decision): Promise<Result<Adjustment, AdjustmentRefusal>> {
  const { id, decision, seenHash, staffId } = decided
  const done = await ctx.db.transaction().execute(async (tx) => {
    if (decision === 'approve') await lockApprovals(tx)
    const adjustment = await lockAdjustment(tx, id)
    if (!adjustment) return refuse('not_found')
    const { state, requestedBy, contentHash } = adjustment
    const isOpen = ['waiting', 'announced', 'disputed'].includes(state)
    if (!isOpen || (decision === 'approve' && state === 'announced')) return refuseDecidedAdjustment(adjustment)
    const hash = adjustmentHash(adjustment)
    if (hash !== seenHash || (decision === 'approve' && hash !== contentHash)) return refuse('content_changed')
    if (decision === 'approve') return await approve(tx, ctx, adjustment, decided)
    // While an adjustment waits for approval, its requester must withdraw it instead of rejecting it. Once it is
    // announced, any staff member may call it off.
    if (state === 'waiting' && requestedBy === staffId) return refuse('asked_yourself')
    return await reject(tx, ctx, adjustment, decided)
  })
  if (done.ok && done.value.state === 'posted') ctx.publish({ kind: 'balance-changed', userId: done.value.userId })
  return done
}

type Decided = Result<Adjustment, AdjustmentRefusal>

async function approve(tx: Tx, ctx: Ctx, adjustment: Adjustment, decided: Decision): Promise<Decided> {
  const { id, userId, amount, state, contentHash, requestedBy, requestedAt } = adjustment
  if (state === 'disputed') return await settleDispute(tx, ctx, adjustment, decided)
  const { staffId, mode, actor } = decided
  const first = { staffId: requestedBy, at: requestedAt }
  const moved = money(amount < 0n ? -amount : amount)
  const content = { subject: id, contentHash, actor, userId, amount: moved, first, staffId, mode }
  const admitted = await checkAdjustment(tx, ctx, content)
  if (admitted !== 'decide') return admitted
  const now = ctx.now()
  if (amount > 0n) {
    await postTransfers(tx, [adjustmentTransfer(adjustment)], now)
    await closeAdjustment(tx, id, { state: 'posted', staffId, at: now, words: '', postedAt: now })
    return await recorded(tx, ctx, { before: adjustment, state: 'posted' }, decided)
  }
  const postsAt = later(now, ANNOUNCED_MS[mode])
  await closeAdjustment(tx, id, { state: 'announced', staffId, at: now, words: '', postsAt })
  return await recorded(tx, ctx, { before: { ...adjustment, postsAt }, state: 'announced' }, decided)
}

async function settleDispute(tx: Tx, ctx: Ctx, adjustment: Adjustment, decided: Decision): Promise<Decided> {
  const { id, userId, requestedBy, decidedBy, contentHash } = adjustment
  const { staffId, actor, mode } = decided
  if (staffId === requestedBy || staffId === decidedBy) return refuse('asked_yourself')
  // The amount is 0 here, because the first decision already counted the amount towards the limits.
  const content = { kind: 'correction', subject: id, contentHash, userId, amount: money(0n) } as const
  const admitted = await checkTwoPeople(tx, ctx, { ...content, actor, mode })
  if (admitted === 'first') return ok(adjustment)
  if (admitted !== 'decide') return admitted
  await moveAdjustment(tx, id, { state: 'announced' })
  return await recorded(tx, ctx, { before: adjustment, state: 'announced' }, decided)
}

async function reject(tx: Tx, ctx: Ctx, adjustment: Adjustment, decided: Decision): Promise<Decided> {
  const { id, postsAt } = adjustment
  await endApprovals(ctx, tx, { kind: 'correction', subject: id })
  const announced = postsAt === null ? {} : { postsAt }
  const by = { staffId: decided.staffId, at: ctx.now(), words: decided.words, ...announced }
  await closeAdjustment(tx, id, { state: 'rejected', ...by })
  return await recorded(tx, ctx, { before: adjustment, state: 'rejected' }, decided)
}

async function recorded(
  tx: Tx,
  ctx: Ctx,
  { before, state }: { readonly before: Adjustment; readonly state: Adjustment['state'] },
  { words, actor }: Decision,
): Promise<Decided> {
  const { id, userId, amount, contentHash } = before
  await recordAction(tx, ctx, actor, {
    target: id,
    reason: words,
    outcome: 'done',
    before: { state: before.state },
    after: { state, userId, amount: moneyText(amount), contentHash },
  })
  return ok({ ...before, state })
}

/** Returns the refusal that names who decided the adjustment earlier. */
export function refuseDecidedAdjustment(correction: Adjustment): Refusal<'already_decided'> {
  const { state, requestedByName, decidedByName, decidedAt } = correction
  if (state === 'withdrawn' && decidedAt !== null)
    return refuseDecided('withdrawn', { who: requestedByName, at: decidedAt })
  const by = decidedByName === null || decidedAt === null ? null : { who: decidedByName, at: decidedAt }
  return refuseDecided(state === 'rejected' ? 'rejected' : 'approved', by)
}
