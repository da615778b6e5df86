import { type Money, moneyText } from '#core/money/money.ts'
import type { Result } from '#core/result.ts'
import type { Ctx } from '#server/platform/context/context.ts'
import { type Edit, type Edited, type EditRefusal, editUser } from '#server/users/administration/edit-user.ts'

/** The limits of one user. Null: only the general limits apply. */
export interface UserLimits {
  readonly maxStake: Money | null
  readonly maxOpenStake: Money | null
  readonly mayWithdraw: boolean
  /** The reason, shown to the user. */
  readonly withdrawalsReason: string
}

/**
 * Limits a user's new activity: the stake of an order, all open stakes together, and withdrawals.
 * A limit only refuses new requests. It does not affect open orders, prices, payouts or results.
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
  // The user's open pages reload their limits on this event.
  if (done.ok) ctx.publish({ kind: 'balance-changed', userId: done.value.id })
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
