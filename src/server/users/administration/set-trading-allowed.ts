import type { Result } from '#core/result.ts'
import type { Ctx } from '#server/platform/context/context.ts'
import { type Edit, type Edited, type EditRefusal, editUser } from '#server/users/administration/edit-user.ts'

/**
 * Lets a user open orders or not, with a reason that the user reads. Orders that run already settle as everyone's do.
 */
export async function setTradeStatus(
  ctx: Ctx,
  edit: Edit & { readonly mayTrade: boolean },
): Promise<Result<Edited, EditRefusal>> {
  const { mayTrade } = edit
  const reason = mayTrade ? '' : edit.reason
  const done = await editUser(ctx, edit, (account) => ({
    set: { trade_allowed: mayTrade, trade_reason: reason },
    before: { trading: onOff(account.mayTrade), trading_reason: account.tradeReason },
    after: { trading: onOff(mayTrade), trading_reason: reason },
  }))
  if (done.ok) ctx.announce({ kind: 'trade-status-changed', userId: done.value.id })
  return done
}

const onOff = (is: boolean) => (is ? 'on' : 'off')
