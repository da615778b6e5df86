import { type Refusal, type Result, ok, refuse } from '#core/result.ts'
import { type Actor, recordAction } from '#server/audit/record-action.ts'
import { dropApproval, takeApproval } from '#server/back-office/two-people.ts'
import type { Ctx } from '#server/context.ts'
import type { Tx } from '#server/db/tables.ts'
import { CREDITED, type DepositStatus, PENDING } from '#server/deposits/deposits.queries.ts'
import { depositHash } from '#server/deposits/deposit-hash.ts'
import { lockForReview, markDecided, type ReviewedDeposit } from '#server/deposits/operator.queries.ts'

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
  const { trx, status, feedback, actor, seenHash, alongside } = decision
  const now = ctx.now()
  const done = await ctx.db.transaction().execute(async (tx) => {
    const deposit = await lockForReview(tx, trx)
    if (!deposit) return refuse('deposit_unknown')
    if (deposit.status !== PENDING) return refuse('deposit_decided', { params: { status: deposit.status } })
    if (seenHash !== undefined && seenHash !== depositHash(deposit)) return refuse('content_changed')
    const admitted = await admit(tx, ctx, deposit, decision)
    if (admitted !== 'decide') return admitted
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

/** Whether it may be decided now, or waits for somebody else, or must not be. */
async function admit(
  tx: Tx,
  ctx: Ctx,
  deposit: ReviewedDeposit,
  { trx, status, actor, needsTwo }: Decision,
): Promise<'decide' | { ok: true; value: Decided } | Refusal<'second_person_needed'>> {
  if (status !== CREDITED || needsTwo?.(deposit) !== true) {
    await dropApproval(tx, 'deposit', trx)
    return 'decide'
  }
  // Whoever has no name of their own cannot be one of two people.
  const { staffId } = actor
  if (staffId === undefined) return refuse('second_person_needed')
  const contentHash = depositHash(deposit)
  const taken = await takeApproval(tx, { kind: 'deposit', subject: trx, contentHash, staffId, at: ctx.now() })
  if (taken === 'second') return 'decide'
  if (taken === 'same-person') return refuse('second_person_needed')
  await recordAction(tx, ctx, actor, { target: trx, outcome: 'done', after: { approvals: 1, contentHash } })
  return ok({ ...deposit, isDecided: false })
}
