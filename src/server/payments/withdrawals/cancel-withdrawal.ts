import { type Result, refuse } from '#core/result.ts'
import type { Ctx } from '#server/platform/context/context.ts'
import { decideWithdrawal } from '#server/payments/withdrawals/decide-withdrawal.ts'
import { findOwn } from '#server/payments/withdrawals/find-withdrawals.queries.ts'
import type { Withdrawal } from '#server/payments/withdrawals/withdrawals.queries.ts'

/** Cancels a user's own pending withdrawal. */
export async function cancelWithdrawal(
  ctx: Ctx,
  { userId, trx }: { readonly userId: string; readonly trx: string },
): Promise<Result<Withdrawal, 'not_found' | 'withdrawal_decided'>> {
  const withdrawal = await findOwn(ctx.db, ctx.vault, { userId, trx })
  if (!withdrawal) return refuse('not_found')
  const done = await decideWithdrawal(ctx, withdrawal, { kind: 'cancelled' })
  return done.ok ? done : refuse('withdrawal_decided')
}
