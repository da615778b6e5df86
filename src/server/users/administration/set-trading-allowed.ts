import type { Result } from '#core/result.ts'
import type { Ctx } from '#server/platform/context/context.ts'
import { type Edited, type EditRefusal, editUser, type MeasureEdit } from '#server/users/administration/edit-user.ts'

/** Allows or forbids a user to open orders, with a reason for the user. Open orders settle as usual. */
export async function setTradingAllowed(
  ctx: Ctx,
  edit: MeasureEdit & { readonly mayTrade: boolean },
): Promise<Result<Edited, EditRefusal>> {
  const { mayTrade, mode } = edit
  const reason = mayTrade ? '' : edit.reason
  const done = await editUser(ctx, edit, (account) => ({
    measures: { mode, wanted: [{ kind: 'trade_off', set: mayTrade ? null : { value: null, reason } }] },
    before: { trading: onOff(account.mayTrade), trading_reason: account.tradeReason },
    after: { trading: onOff(mayTrade), trading_reason: reason },
  }))
  if (done.ok) ctx.publish({ kind: 'trade-status-changed', userId: done.value.id })
  return done
}

const onOff = (is: boolean) => (is ? 'on' : 'off')
