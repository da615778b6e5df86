import type { Result } from '#core/result.ts'
import type { Ctx } from '#server/platform/context/context.ts'
import { type Edit, type Edited, type EditRefusal, editUser } from '#server/users/administration/edit-user.ts'

/** Allows or forbids a user to open orders, with a reason for the user. Open orders settle as usual. */
export async function setTradingAllowed(
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
  if (done.ok) ctx.publish({ kind: 'trade-status-changed', userId: done.value.id })
  return done
}

const onOff = (is: boolean) => (is ? 'on' : 'off')
