import { type Result, refuse } from '#core/result.ts'
import { decideWithdrawal } from '#server/payments/withdrawals/decide-withdrawal.ts'
import { findOwn } from '#server/payments/withdrawals/find-withdrawals.queries.ts'
import type { Withdrawal } from '#server/payments/withdrawals/withdrawals.queries.ts'
import type { Ctx } from '#server/platform/context/context.ts'

type CancelRefusal = 'not_found' | 'withdrawal_decided' | 'withdrawal_being_paid' | 'withdrawal_locked'

/**
 * Cancels a user's own withdrawal before its payment begins. Where real money is at stake, only if the operator allows
 * it: money that was asked for should leave.
 */
export async function cancelWithdrawal(
  ctx: Ctx,
  { userId, trx, isAllowed }: { readonly userId: string; readonly trx: string; readonly isAllowed: boolean },
): Promise<Result<Withdrawal, CancelRefusal>> {
  const withdrawal = await findOwn(ctx.db, ctx.vault, { userId, trx })
  if (!withdrawal) return refuse('not_found')
  if (!isAllowed) return refuse('withdrawal_locked')
  const done = await decideWithdrawal(ctx, withdrawal, { kind: 'cancelled' })
  if (done.ok) return done
  return refuse(done.refusal === 'withdrawal_being_paid' ? done.refusal : 'withdrawal_decided')
}
