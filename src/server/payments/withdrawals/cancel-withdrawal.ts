import { type Result, refuse } from '#core/result.ts'
import type { Ctx } from '#server/platform/context/context.ts'
import { isCheckViolation } from '#server/platform/database/check-violation.ts'
import { limitsInForce } from '#server/users/limits/limits.queries.ts'
import { decideWithdrawal } from '#server/payments/withdrawals/decide-withdrawal.ts'
import { findOwn } from '#server/payments/withdrawals/find-withdrawals.queries.ts'
import type { Withdrawal } from '#server/payments/withdrawals/withdrawals.queries.ts'

/** Cancels a user's own pending withdrawal, unless the site or the user has locked that. */
export async function cancelWithdrawal(
  ctx: Ctx,
  { userId, trx, isLockFixed }: { readonly userId: string; readonly trx: string; readonly isLockFixed: boolean },
): Promise<Result<Withdrawal, 'not_found' | 'withdrawal_decided' | 'withdrawal_locked'>> {
  const withdrawal = await findOwn(ctx.db, ctx.vault, { userId, trx })
  if (!withdrawal) return refuse('not_found')
  if (isLockFixed || (await limitsInForce(ctx.db, userId)).has('withdrawal_lock')) return refuse('withdrawal_locked')
  try {
    const done = await decideWithdrawal(ctx, withdrawal, { kind: 'cancelled' })
    return done.ok ? done : refuse('withdrawal_decided')
  } catch (error) {
    // The user turned the lock on in the meantime.
    if (isCheckViolation(error)) return refuse('withdrawal_locked')
    throw error
  }
}
