import { type Result, refuse } from '#core/result.ts'
import { decideWithdrawal } from '#server/payments/withdrawals/decide-withdrawal.ts'
import { findOwn } from '#server/payments/withdrawals/find-withdrawals.queries.ts'
import type { Withdrawal } from '#server/payments/withdrawals/withdrawals.queries.ts'
import type { Ctx } from '#server/platform/context/context.ts'
import { isCheckViolation } from '#server/platform/database/check-violation.ts'
import type { Db } from '#server/platform/database/tables.ts'
import { limitsInForce } from '#server/users/limits/limits.queries.ts'

type CancelRefusal = 'not_found' | 'withdrawal_decided' | 'withdrawal_being_paid' | 'withdrawal_locked'

/** Cancels a user's own withdrawal before its payment begins, unless the site or the user has locked cancelling. */
export async function cancelWithdrawal(
  ctx: Ctx,
  { userId, trx, isLockFixed }: { readonly userId: string; readonly trx: string; readonly isLockFixed: boolean },
): Promise<Result<Withdrawal, CancelRefusal>> {
  const withdrawal = await findOwn(ctx.db, ctx.vault, { userId, trx })
  if (!withdrawal) return refuse('not_found')
  if (await isCancellingLocked(ctx.db, userId, isLockFixed)) return refuse('withdrawal_locked')
  try {
    const done = await decideWithdrawal(ctx, withdrawal, { kind: 'cancelled' })
    if (done.ok) return done
    return refuse(done.refusal === 'withdrawal_being_paid' ? done.refusal : 'withdrawal_decided')
  } catch (error) {
    // The database refused the change, because the user turned the lock on in the meantime.
    if (isCheckViolation(error)) return refuse('withdrawal_locked')
    throw error
  }
}

/** Whether the site or the user has locked cancelling. */
export async function isCancellingLocked(db: Db, userId: string, isLockFixed: boolean): Promise<boolean> {
  return isLockFixed || (await limitsInForce(db, userId)).has('withdrawal_lock')
}
