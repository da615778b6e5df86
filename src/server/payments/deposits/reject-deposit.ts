import { type Result, ok, refuse } from '#core/result.ts'
import { type Actor, recordAction } from '#server/audit/record-action.ts'
import type { ApprovalRefusal } from '#server/audit/check-dual-approval.ts'
import { endApprovals } from '#server/audit/dual-approval.ts'
import { changeArrival } from '#server/payments/deposits/arrivals.queries.ts'
import { addDepositEvent } from '#server/payments/deposits/deposit-events.queries.ts'
import { depositHash } from '#server/payments/deposits/deposit-hash.ts'
import { PENDING, REJECTED } from '#server/payments/deposits/deposits.queries.ts'
import { lockForReview, markDecided, type ReviewedDeposit } from '#server/payments/deposits/review.queries.ts'
import type { Ctx } from '#server/platform/context/context.ts'

export type DecideRefusal = 'deposit_unknown' | 'deposit_decided' | 'content_changed' | ApprovalRefusal

/** The current deposit, and whether it is decided or waits for a second approval. */
export type Decided = ReviewedDeposit & { readonly isDecided: boolean }

interface Rejection {
  readonly trx: string
  /** The message to the user. */
  readonly words: string
  readonly actor: Actor
  /** The content hash that the staff member saw. A decision on changed content is refused. */
  readonly seenHash?: string
}

/**
 * Rejects a pending deposit with a message to its user, once. No money moves. Its
 * arrivals become unassigned, until staff assign them or send them back. The row lock serialises concurrent decisions, so the second decision
 * finds the deposit already decided.
 */
export async function rejectDeposit(
  ctx: Ctx,
  { trx, words, actor, seenHash }: Rejection,
): Promise<Result<Decided, DecideRefusal>> {
  const now = ctx.now()
  const done = await ctx.db.transaction().execute(async (tx) => {
    const deposit = await lockForReview(tx, trx)
    if (!deposit) return refuse('deposit_unknown')
    if (deposit.status !== PENDING) return refuse('deposit_decided', { params: { status: deposit.status } })
    if (seenHash !== undefined && seenHash !== depositHash(deposit)) return refuse('content_changed')
    await endApprovals(ctx, tx, { kind: 'deposit', subject: trx })
    const { userId, id, credited } = deposit
    const after = { status: REJECTED, state: 'rejected', feedback: words, decidedAt: now } as const
    await markDecided(tx, deposit, { ...after, credited })
    for (const arrival of deposit.arrivals) {
      const free = { state: 'unassigned', userId: null, depositId: null, rate: null, takesTwo: false } as const
      if (arrival.state === 'confirmed') await changeArrival(tx, arrival, free)
    }
    await addDepositEvent(tx, { userId, id, step: 'rejected', state: 'rejected', at: now, actor, words })
    await recordAction(tx, ctx, actor, {
      target: trx,
      reason: words,
      outcome: 'done',
      before: { status: deposit.status, state: deposit.state },
      after: { status: REJECTED, state: 'rejected' },
    })
    return ok({ ...deposit, ...after, arrivals: [], isDecided: true })
  })
  if (done.ok) ctx.publish({ kind: 'deposit-decided', userId: done.value.userId, trx })
  return done
}
