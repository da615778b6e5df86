import { type Result, ok, refuse } from '#core/result.ts'
import { type Actor, recordAction } from '#server/audit/record-action.ts'
import {
  type ApprovalLimits,
  type ApprovalRefusal,
  checkDualApproval,
  lockApprovals,
} from '#server/audit/check-dual-approval.ts'
import { endApprovals } from '#server/audit/dual-approval.ts'
import { destinationOf } from '#server/platform/encryption/sealed-details.ts'
import type { Ctx } from '#server/platform/context/context.ts'
import { postTransfers } from '#server/ledger/post-transfers.ts'
import { closingTransfers } from '#server/payments/withdrawals/withdrawal-transfers.ts'
import { findForReview, type ReviewedWithdrawal } from '#server/payments/withdrawals/find-withdrawals.queries.ts'
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
  | (ByStaff & { readonly kind: 'rejected' })
  | { readonly kind: 'cancelled' }

export type CloseRefusal = 'withdrawal_unknown' | 'withdrawal_decided' | 'content_changed' | ApprovalRefusal
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
    if (decision.kind === 'paid') await lockApprovals(tx)
    // Every transaction then locks the balance first, so that two of them cannot deadlock.
    await lockCash(tx, userId)
    const withdrawal = await findForReview(tx, ctx.vault, trx, { lock: true })
    if (!withdrawal) return refuse('withdrawal_unknown')
    if (withdrawal.status !== PENDING) return refuse('withdrawal_decided', { params: { status: withdrawal.status } })
    const contentHash = withdrawalHash(withdrawal)
    if (decision.kind !== 'cancelled' && (decision.seenHash ?? contentHash) !== contentHash) {
      return refuse('content_changed')
    }
    if (decision.kind === 'paid') {
      const { actor, limits } = decision
      const { amount, methodId, details } = withdrawal
      const destination = destinationOf(ctx.vault, methodId, details)
      const content = { kind: 'withdrawal', subject: trx, contentHash, actor, userId, amount, destination } as const
      const admitted = await checkDualApproval(tx, ctx, { ...content, limits })
      if (admitted === 'first') return ok({ ...withdrawal, isDecided: false })
      if (admitted !== 'decide') return admitted
    } else await endApprovals(ctx, tx, { kind: 'withdrawal', subject: trx })

    const closed = {
      status: decision.kind === 'paid' ? PAID : REJECTED,
      feedback: decision.kind === 'cancelled' ? '' : decision.words,
      isCancelled: decision.kind === 'cancelled',
      decidedAt: ctx.now(),
    }
    await markClosed(tx, withdrawal, closed)
    await postTransfers(tx, closingTransfers(withdrawal, decision.kind), closed.decidedAt)
    if (decision.kind !== 'cancelled') {
      const change = { before: { status: withdrawal.status }, after: { status: closed.status } }
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
