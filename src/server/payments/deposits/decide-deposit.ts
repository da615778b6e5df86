import { type Result, ok, refuse } from '#core/result.ts'
import { type Actor, recordAction } from '#server/audit/record-action.ts'
import {
  type ApprovalLimits,
  type ApprovalRefusal,
  checkDualApproval,
  lockApprovals,
} from '#server/audit/check-dual-approval.ts'
import { endApprovals } from '#server/audit/dual-approval.ts'
import type { Ctx } from '#server/platform/context/context.ts'
import type { Instant } from '#core/time/instant.ts'
import type { Tx } from '#server/platform/database/tables.ts'
import { type DepositStatus, PENDING } from '#server/payments/deposits/deposits.queries.ts'
import { depositHash } from '#server/payments/deposits/deposit-hash.ts'
import { lockForReview, markDecided, type ReviewedDeposit } from '#server/payments/deposits/review.queries.ts'

export type DecideRefusal = 'deposit_unknown' | 'deposit_decided' | 'content_changed' | ApprovalRefusal

export interface Decision {
  readonly trx: string
  readonly status: DepositStatus
  /** The message to the user. May be empty. */
  readonly feedback: string
  readonly actor: Actor
  /** The content hash that the staff member saw. A decision on changed content is refused. */
  readonly seenHash?: string | undefined
  /** The limits up to which one staff member may credit alone. Given only when the decision is to credit. */
  readonly limits?: ApprovalLimits
  /** Additional changes that belong to the decision, in the same transaction. */
  readonly alongside?: (tx: Tx, deposit: ReviewedDeposit, now: Instant) => Promise<void>
}

/** The current deposit, and whether it is decided or waits for a second approval. */
export type Decided = ReviewedDeposit & { readonly isDecided: boolean }

/**
 * Decides a pending deposit, once. The row lock serialises concurrent decisions, so the second decision finds the
 * deposit already decided.
 */
export async function decideDeposit(ctx: Ctx, decision: Decision): Promise<Result<Decided, DecideRefusal>> {
  const { trx, status, feedback, actor, seenHash, limits, alongside } = decision
  const now = ctx.now()
  const done = await ctx.db.transaction().execute(async (tx) => {
    if (limits) await lockApprovals(tx)
    const deposit = await lockForReview(tx, trx)
    if (!deposit) return refuse('deposit_unknown')
    if (deposit.status !== PENDING) return refuse('deposit_decided', { params: { status: deposit.status } })
    if (seenHash !== undefined && seenHash !== depositHash(deposit)) return refuse('content_changed')
    if (limits) {
      const { userId, credited: amount } = deposit
      const content = { kind: 'deposit', subject: trx, contentHash: depositHash(deposit), actor } as const
      const admitted = await checkDualApproval(tx, ctx, { ...content, userId, amount, limits })
      if (admitted === 'first') return ok({ ...deposit, isDecided: false })
      if (admitted !== 'decide') return admitted
    } else await endApprovals(ctx, tx, { kind: 'deposit', subject: trx })
    await markDecided(tx, deposit, { status, feedback, at: now })
    await alongside?.(tx, deposit, now)
    await recordAction(tx, ctx, actor, {
      target: trx,
      reason: feedback,
      outcome: 'done',
      before: { status: deposit.status },
      after: { status },
    })
    return ok({ ...deposit, status, feedback, decidedAt: now, isDecided: true })
  })
  if (done.ok && done.value.isDecided) ctx.publish({ kind: 'deposit-decided', userId: done.value.userId, trx })
  return done
}
