import { type Money, moneyText } from '#core/money/money.ts'
import type { Result } from '#core/result.ts'
import type { Ctx } from '#server/platform/context/context.ts'
import { type Edit, type Edited, type EditRefusal, editUser } from '#server/users/administration/edit-user.ts'

/** What one user may begin. Null: only what holds for everyone. */
export interface UserLimits {
  readonly maxStake: Money | null
  readonly maxOpenStake: Money | null
  readonly mayWithdraw: boolean
  /** Why not, in words that the user reads. */
  readonly withdrawalsReason: string
}

/**
 * Limits what a user may begin: the stake of a new order, all open stakes together, new withdrawals. A limit can only
 * refuse. It changes nothing that has begun, and no price, payout or result.
 */
export async function setLimits(
  ctx: Ctx,
  edit: Edit & { readonly limits: UserLimits },
): Promise<Result<Edited, EditRefusal>> {
  const { maxStake, maxOpenStake, mayWithdraw } = edit.limits
  const limits = { ...edit.limits, withdrawalsReason: mayWithdraw ? '' : edit.limits.withdrawalsReason }
  const done = await editUser(ctx, edit, (account) => ({
    set: {
      max_stake: maxStake,
      max_open_stake: maxOpenStake,
      withdrawals_allowed: mayWithdraw,
      withdrawals_reason: limits.withdrawalsReason,
    },
    before: written(account),
    after: written(limits),
  }))
  // Their screens ask again what they may do.
  if (done.ok) ctx.announce({ kind: 'balance-changed', userId: done.value.id })
  return done
}

function written({ maxStake, maxOpenStake, mayWithdraw, withdrawalsReason }: UserLimits) {
  return {
    max_stake: maxStake === null ? null : moneyText(maxStake),
    max_open_stake: maxOpenStake === null ? null : moneyText(maxOpenStake),
    withdrawals: mayWithdraw ? 'on' : 'off',
    withdrawals_reason: withdrawalsReason,
  }
}
