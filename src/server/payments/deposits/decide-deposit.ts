import { type Result, ok, refuse } from '#core/result.ts'
import { type Actor, recordAction } from '#server/audit/record-action.ts'
import { admitApproval } from '#server/audit/check-dual-approval.ts'
import { dropApproval } from '#server/audit/dual-approval.ts'
import type { Ctx } from '#server/platform/context/context.ts'
import type { Tx } from '#server/platform/database/tables.ts'
import { CREDITED, type DepositStatus, PENDING } from '#server/payments/deposits/deposits.queries.ts'
import { depositHash } from '#server/payments/deposits/deposit-hash.ts'
import { lockForReview, markDecided, type ReviewedDeposit } from '#server/payments/deposits/review.queries.ts'

export type DecideRefusal = 'deposit_unknown' | 'deposit_decided' | 'content_changed' | 'second_person_needed'

export interface Decision {
  readonly trx: string
  readonly status: DepositStatus
  /** What the user reads beside it; may be empty. */
  readonly feedback: string
  readonly actor: Actor
  /** What the person who decides has looked at; anything else by now is refused. */
  readonly seenHash?: string | undefined
  /** Whether crediting this one takes two people. */
  readonly needsTwo?: (deposit: ReviewedDeposit) => boolean
  /** What else belongs to the decision, in its transaction. */
  readonly alongside?: (tx: Tx, deposit: ReviewedDeposit) => Promise<void>
}

/** The deposit as it is now, and whether it is decided or still waits for a second person. */
export type Decided = ReviewedDeposit & { readonly isDecided: boolean }

/**
 * Decides a deposit that waits, once. Of two decisions at the same time one is taken under the row's lock and the other
 * finds it decided.
 */
export async function decideDeposit(ctx: Ctx, decision: Decision): Promise<Result<Decided, DecideRefusal>> {
  const { trx, status, feedback, actor, seenHash, needsTwo, alongside } = decision
  const now = ctx.now()
  const done = await ctx.db.transaction().execute(async (tx) => {
    const deposit = await lockForReview(tx, trx)
    if (!deposit) return refuse('deposit_unknown')
    if (deposit.status !== PENDING) return refuse('deposit_decided', { params: { status: deposit.status } })
    if (seenHash !== undefined && seenHash !== depositHash(deposit)) return refuse('content_changed')
    if (status === CREDITED) {
      const content = { kind: 'deposit', subject: trx, contentHash: depositHash(deposit), actor } as const
      const admitted = await admitApproval(tx, ctx, { ...content, needsTwo: needsTwo?.(deposit) ?? false })
      if (admitted === 'first') return ok({ ...deposit, isDecided: false })
      if (admitted !== 'decide') return admitted
    } else await dropApproval(tx, 'deposit', trx)
    await markDecided(tx, deposit, { status, feedback, at: now })
    await alongside?.(tx, deposit)
    await recordAction(tx, ctx, actor, {
      target: trx,
      reason: feedback,
      outcome: 'done',
      before: { status: deposit.status },
      after: { status },
    })
    return ok({ ...deposit, status, feedback, decidedAt: now, isDecided: true })
  })
  if (done.ok && done.value.isDecided) ctx.announce({ kind: 'deposit-decided', userId: done.value.userId, trx })
  return done
}
