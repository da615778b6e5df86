import { money } from '#core/money/money.ts'
import { type Refusal, type Result, ok, refuse } from '#core/result.ts'
import { DAY_MS, type Instant, later } from '#core/time/instant.ts'
import { MAX_AGAIN_DAYS } from '#core/wallet/leave.ts'
import { type RejectionCode, rejectionCodes } from '#core/wallet/withdrawal-deadline.ts'
import { type Actor, recordAction } from '#server/audit/record-action.ts'
import {
  type ApprovalLimits,
  type ApprovalRefusal,
  checkDualApproval,
  checkTwoPeople,
  lockApprovals,
} from '#server/audit/check-dual-approval.ts'
import { endApprovals } from '#server/audit/dual-approval.ts'
import { destinationOf } from '#server/platform/encryption/sealed-details.ts'
import type { Ctx } from '#server/platform/context/context.ts'
import type { Tx } from '#server/platform/database/tables.ts'
import { postTransfers } from '#server/ledger/post-transfers.ts'
import { closingTransfers } from '#server/payments/withdrawals/withdrawal-transfers.ts'
import { findForReview, type ReviewedWithdrawal } from '#server/payments/withdrawals/find-withdrawals.queries.ts'
import { principalOf, wasRejectedLately } from '#server/payments/withdrawals/deadline.queries.ts'
import { endLeave } from '#server/payments/withdrawals/leave.queries.ts'
import { withdrawalHash } from '#server/payments/withdrawals/withdrawal-hash.ts'
import { lockCash, markClosed, PAID, PENDING, REJECTED } from '#server/payments/withdrawals/withdrawals.queries.ts'

interface ByStaff {
  /** The message to the user. May be empty for a paid withdrawal. */
  readonly words: string
  readonly actor: Actor
  /** The content hash that the staff member saw. A decision on changed content is refused. */
  readonly seenHash?: string | undefined
}

/** The decision on a pending withdrawal, with the staff member who made it. */
export type Decision =
  | (ByStaff & { readonly kind: 'paid'; readonly limits: ApprovalLimits })
  | (ByStaff & {
      readonly kind: 'rejected'
      readonly reasonCode: RejectionCode
      /** Days until a user whose leave is refused can ask again. Null for an ordinary withdrawal, and for wrong details. */
      readonly againDays: number | null
      readonly mode: 'demo' | 'live'
    })
  | { readonly kind: 'cancelled' }

export type CloseRefusal =
  | 'withdrawal_unknown'
  | 'withdrawal_decided'
  | 'content_changed'
  | RejectionRefusal
  | ApprovalRefusal
export type RejectionRefusal = 'identity_not_needed' | 'reason_not_allowed' | 'again_needed'

/** The current withdrawal, and whether it is decided or waits for a second approval. */
export type Closed = ReviewedWithdrawal & { readonly isDecided: boolean }

/**
 * Decides a pending withdrawal, once: pays out the held amount, or returns it.
 * Locks the user's balance and the withdrawal's row, so a second concurrent decision finds the withdrawal decided.
 */
export async function decideWithdrawal(
  ctx: Ctx,
  { trx, userId }: { readonly trx: string; readonly userId: string },
  decision: Decision,
): Promise<Result<Closed, CloseRefusal>> {
  const done = await ctx.db.transaction().execute(async (tx) => {
    if (decision.kind !== 'cancelled') await lockApprovals(tx)
    // Every transaction then locks the balance first, so that two of them cannot deadlock.
    await lockCash(tx, userId)
    const withdrawal = await findForReview(tx, ctx.vault, trx, { lock: true })
    if (!withdrawal) return refuse('withdrawal_unknown')
    if (withdrawal.status !== PENDING) return refuse('withdrawal_decided', { params: { status: withdrawal.status } })
    const contentHash = withdrawalHash(withdrawal)
    if (decision.kind !== 'cancelled' && (decision.seenHash ?? contentHash) !== contentHash) {
      return refuse('content_changed')
    }
    const now = ctx.now()
    const admitted = await admit(tx, ctx, { withdrawal, decision, contentHash, now })
    if (admitted === 'first') return ok({ ...withdrawal, isDecided: false })
    if (admitted !== 'decide') return admitted
    const closed = {
      status: decision.kind === 'paid' ? PAID : REJECTED,
      feedback: decision.kind === 'cancelled' ? '' : decision.words,
      reasonCode: decision.kind === 'rejected' ? decision.reasonCode : null,
      isCancelled: decision.kind === 'cancelled',
      decidedAt: now,
    }
    await markClosed(tx, withdrawal, closed)
    await postTransfers(tx, closingTransfers(withdrawal, decision.kind), closed.decidedAt)
    if (withdrawal.leaveId !== null && decision.kind === 'rejected') {
      const again = { againAt: later(now, (decision.againDays ?? 0) * DAY_MS) }
      await endLeave(tx, { userId, id: withdrawal.leaveId, state: 'refused', at: now, ...again })
    }
    if (decision.kind !== 'cancelled') {
      const { status, reasonCode } = closed
      const code = reasonCode === null ? {} : { reasonCode }
      const change = { before: { status: withdrawal.status }, after: { status, ...code } }
      await recordAction(tx, ctx, decision.actor, { target: trx, reason: decision.words, outcome: 'done', ...change })
    }
    return ok({ ...withdrawal, ...closed, isDecided: true })
  })
  if (done.ok && done.value.isDecided) {
    ctx.publish({ kind: 'withdrawal-changed', userId, trx })
    ctx.publish({ kind: 'balance-changed', userId })
  }
  return done
}

interface Considered {
  readonly withdrawal: ReviewedWithdrawal
  readonly decision: Decision
  readonly contentHash: string
  readonly now: Instant
}

/** Checks whether a decision needs a second approver. Approvals of a payment and of a rejection are counted separately. */
async function admit(
  tx: Tx,
  ctx: Ctx,
  { withdrawal, decision, contentHash, now }: Considered,
): Promise<'decide' | 'first' | Refusal<ApprovalRefusal | RejectionRefusal>> {
  const { trx: subject, userId, amount, methodId, details } = withdrawal
  if (decision.kind === 'rejected') {
    const admitted = await admitRejection(tx, ctx, { withdrawal, decision, contentHash, now })
    if (admitted !== 'decide') return admitted
    await endApprovals(ctx, tx, { kind: 'withdrawal', subject })
    return 'decide'
  }
  if (decision.kind === 'paid') {
    const { actor, limits } = decision
    const destination = destinationOf(ctx.vault, methodId, details)
    const content = { kind: 'withdrawal', subject, contentHash, actor, userId, amount, destination } as const
    const admitted = await checkDualApproval(tx, ctx, { ...content, limits })
    if (admitted !== 'decide') return admitted
  } else await endApprovals(ctx, tx, { kind: 'withdrawal', subject })
  await endApprovals(ctx, tx, { kind: 'rejection', subject })
  return 'decide'
}

async function admitRejection(
  tx: Tx,
  ctx: Ctx,
  {
    withdrawal: { trx: subject, userId, leaveId, isAbovePrincipal, amount: requested },
    decision: { actor, reasonCode, againDays, mode },
    contentHash: hash,
    now,
  }: Considered & { readonly decision: Extract<Decision, { kind: 'rejected' }> },
): Promise<'decide' | 'first' | Refusal<ApprovalRefusal | RejectionRefusal>> {
  const isLeave = leaveId !== null
  if (!rejectionCodes(isLeave).includes(reasonCode)) return refuse('reason_not_allowed')
  const isAgainNeeded = isLeave && reasonCode !== 'details_wrong'
  if (isAgainNeeded !== (againDays !== null)) return refuse('again_needed', { params: { most: MAX_AGAIN_DAYS } })
  const isPrincipal =
    (reasonCode === 'identity' && requested <= (await principalOf(tx, userId))) ||
    (reasonCode === 'identity_failed' && !isAbovePrincipal)
  if (isPrincipal) return refuse('identity_not_needed')
  if (!isLeave && !(await wasRejectedLately(tx, userId, now))) return 'decide'
  // A rejection pays nothing, so it adds nothing to the sums of the limits.
  const contentHash = [hash, reasonCode, ...(againDays === null ? [] : [againDays])].join(' ')
  const content = { kind: 'rejection', subject, contentHash, amount: money(0n) } as const
  return await checkTwoPeople(tx, ctx, { ...content, userId, actor, mode })
}
