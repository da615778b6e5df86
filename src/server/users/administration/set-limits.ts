import { type Money, moneyText } from '#core/money/money.ts'
import type { Result } from '#core/result.ts'
import type { Ctx } from '#server/platform/context/context.ts'
import { type Edited, type EditRefusal, editUser, type MeasureEdit } from '#server/users/administration/edit-user.ts'

/** The limits that staff set for one user. If a value is null, only the general limit applies. */
export interface UserLimits {
  readonly maxStake: Money | null
  readonly maxOpenStake: Money | null
  readonly mayWithdraw: boolean
  /** The reason for closed withdrawals that the user reads. */
  readonly withdrawalsReason: string
}

/**
 * Limits a user's new activity: the stake of an order, all open stakes together, and withdrawals. A limit only refuses
 * new requests. It does not affect open orders, prices, payouts or results. The user reads the reason of the edit as
 * the reason of a new limit. If the edit does not change a limit, the limit starts again for its full time.
 */
export async function setLimits(
  ctx: Ctx,
  edit: MeasureEdit & { readonly limits: UserLimits },
): Promise<Result<Edited, EditRefusal>> {
  const { maxStake, maxOpenStake, mayWithdraw } = edit.limits
  const { reason, mode } = edit
  const limits = { ...edit.limits, withdrawalsReason: mayWithdraw ? '' : edit.limits.withdrawalsReason }
  const done = await editUser(ctx, edit, (account) => ({
    measures: {
      mode,
      wanted: [
        { kind: 'stake_limit', set: maxStake === null ? null : { value: maxStake, reason } },
        { kind: 'open_limit', set: maxOpenStake === null ? null : { value: maxOpenStake, reason } },
        {
          kind: 'withdrawals_off',
          set: mayWithdraw ? null : { value: null, reason: limits.withdrawalsReason },
        },
      ],
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
