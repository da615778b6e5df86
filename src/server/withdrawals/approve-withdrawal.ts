import { type Result, refuse } from '#core/result.ts'
import type { Actor } from '#server/audit/record-action.ts'
import type { Ctx } from '#server/context.ts'
import { closeWithdrawal, type Decided } from '#server/withdrawals/close-withdrawal.ts'
import { findForReview, type ReviewedWithdrawal } from '#server/withdrawals/find-withdrawals.queries.ts'

export type DecideRefusal = 'withdrawal_unknown' | Decided

/** The operator has paid it: what was held leaves the user's accounts, the charges go to the fees. */
export async function approveWithdrawal(
  ctx: Ctx,
  { trx, actor }: { readonly trx: string; readonly actor: Actor },
): Promise<Result<ReviewedWithdrawal, DecideRefusal>> {
  const withdrawal = await findForReview(ctx.db, trx)
  return withdrawal ? closeWithdrawal(ctx, withdrawal, { kind: 'paid', actor }) : refuse('withdrawal_unknown')
}
