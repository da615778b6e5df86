import { type Result, ok, refuse } from '#core/result.ts'
import { type Actor, recordAction } from '#server/audit/record-action.ts'
import type { Ctx } from '#server/context.ts'
import type { Tx } from '#server/db/tables.ts'
import { type DepositStatus, PENDING } from '#server/deposits/deposits.queries.ts'
import { lockForReview, markDecided, type ReviewedDeposit } from '#server/deposits/operator.queries.ts'

export type DecideRefusal = 'deposit_unknown' | 'deposit_decided'

export interface Decision {
  readonly trx: string
  readonly status: DepositStatus
  /** What the user reads beside it; may be empty. */
  readonly feedback: string
  readonly actor: Actor
  /** What else belongs to the decision, in its transaction. */
  readonly alongside?: (tx: Tx, deposit: ReviewedDeposit) => Promise<void>
}

/**
 * Decides a deposit that waits, once. Of two decisions at the same time one is taken under the row's lock and the other
 * finds it decided.
 */
export async function decideDeposit(
  ctx: Ctx,
  { trx, status, feedback, actor, alongside }: Decision,
): Promise<Result<ReviewedDeposit, DecideRefusal>> {
  const now = ctx.now()
  const decided = await ctx.db.transaction().execute(async (tx) => {
    const deposit = await lockForReview(tx, trx)
    if (!deposit) return refuse('deposit_unknown')
    if (deposit.status !== PENDING) return refuse('deposit_decided', { params: { status: deposit.status } })
    await markDecided(tx, deposit, { status, feedback, at: now })
    await alongside?.(tx, deposit)
    await recordAction(tx, ctx, actor, {
      target: trx,
      reason: feedback,
      outcome: 'done',
      before: { status: deposit.status },
      after: { status },
    })
    return ok({ ...deposit, status, feedback, decidedAt: now })
  })
  if (decided.ok) ctx.announce({ kind: 'deposit-decided', userId: decided.value.userId, trx })
  return decided
}
