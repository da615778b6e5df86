import type { Result } from '#core/result.ts'
import type { ApprovalLimits } from '#server/audit/check-dual-approval.ts'
import type { ByStaff, Stepped } from '#server/payments/withdrawals/change-withdrawal.ts'
import { type CloseRefusal, decideWithdrawal } from '#server/payments/withdrawals/decide-withdrawal.ts'
import type { Ctx } from '#server/platform/context/context.ts'

interface Approval extends ByStaff {
  readonly trx: string
  readonly words?: string
  readonly reason?: string
  readonly limits: ApprovalLimits
}

/**
 * Approves a withdrawal, so that it may be paid. For amounts over the limit, the first approval is only recorded, and
 * the second approval approves the withdrawal.
 */
export async function approveWithdrawal(
  ctx: Ctx,
  { trx, words = '', ...approval }: Approval,
): Promise<Result<Stepped, CloseRefusal>> {
  return decideWithdrawal(ctx, { trx }, { ...approval, kind: 'approved', words })
}
