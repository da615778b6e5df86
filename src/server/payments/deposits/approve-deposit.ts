import type { Result } from '#core/result.ts'
import type { ApprovalLimits } from '#server/audit/check-dual-approval.ts'
import type { Actor } from '#server/audit/record-action.ts'
import type { Ctx } from '#server/platform/context/context.ts'
import { creditDeposit } from '#server/payments/deposits/credit-deposit.ts'
import { type Decided, decideDeposit, type DecideRefusal } from '#server/payments/deposits/decide-deposit.ts'
import { CREDITED } from '#server/payments/deposits/deposits.queries.ts'

interface Approval {
  readonly trx: string
  readonly remark?: string | undefined
  readonly actor: Actor
  readonly seenHash?: string
  readonly limits: ApprovalLimits
}

/**
 * Credits the quoted amount of a deposit, once. The approver cannot choose another amount. For amounts over the limit,
 * the first approval is only recorded, and the second approval credits the deposit.
 */
export async function approveDeposit(
  ctx: Ctx,
  { trx, remark = '', actor, seenHash, limits }: Approval,
): Promise<Result<Decided, DecideRefusal>> {
  const approved = await decideDeposit(ctx, {
    trx,
    status: CREDITED,
    feedback: remark,
    actor,
    seenHash,
    limits,
    alongside: creditDeposit,
  })
  if (approved.ok && approved.value.isDecided) ctx.publish({ kind: 'balance-changed', userId: approved.value.userId })
  return approved
}
