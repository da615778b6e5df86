import { type Result, refuse } from '#core/result.ts'
import type { ApprovalLimits } from '#server/audit/check-dual-approval.ts'
import type { Actor } from '#server/audit/record-action.ts'
import type { Ctx } from '#server/platform/context/context.ts'
import { type Closed, type CloseRefusal, decideWithdrawal } from '#server/payments/withdrawals/decide-withdrawal.ts'
import { findForReview } from '#server/payments/withdrawals/find-withdrawals.queries.ts'

interface Approval {
  readonly trx: string
  readonly words?: string
  readonly actor: Actor
  readonly seenHash?: string
  readonly limits: ApprovalLimits
}

/**
 * Marks a withdrawal as paid: the held amount leaves the user's accounts and the fees go to the fee account.
 * Above the limit the first approval is only recorded, and the second approver's completes it.
 */
export async function approveWithdrawal(
  ctx: Ctx,
  { trx, words = '', actor, seenHash, limits }: Approval,
): Promise<Result<Closed, CloseRefusal>> {
  const withdrawal = await findForReview(ctx.db, ctx.vault, trx)
  if (!withdrawal) return refuse('withdrawal_unknown')
  return decideWithdrawal(ctx, withdrawal, { kind: 'paid', words, actor, seenHash, limits })
}
