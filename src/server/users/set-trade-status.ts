import { type Result, ok, refuse } from '#core/result.ts'
import { type Actor, recordAction } from '#server/audit/record-action.ts'
import type { Ctx } from '#server/context.ts'
import { lockAccount } from '#server/users/users.queries.ts'

/**
 * Lets a user open orders or not, with a reason that the user reads. Orders that run already settle as everyone's do.
 */
export async function setTradeStatus(
  ctx: Ctx,
  {
    username,
    mayTrade,
    reason,
    actor,
  }: { readonly username: string; readonly mayTrade: boolean; readonly reason: string; readonly actor: Actor },
): Promise<Result<{ readonly username: string; readonly before: boolean }, 'user_unknown'>> {
  const done = await ctx.db.transaction().execute(async (tx) => {
    const account = await lockAccount(tx, username)
    if (!account) return refuse('user_unknown')
    await tx
      .updateTable('app_user')
      .set({ trade_allowed: mayTrade, trade_reason: mayTrade ? '' : reason })
      .where('id', '=', account.id)
      .execute()
    await recordAction(tx, ctx, actor, {
      target: account.username,
      reason,
      outcome: 'done',
      before: { tradeAllowed: account.mayTrade, reason: account.tradeReason },
      after: { tradeAllowed: mayTrade, reason: mayTrade ? '' : reason },
    })
    return ok({ userId: account.id, username: account.username, before: account.mayTrade })
  })
  if (done.ok) ctx.announce({ kind: 'trade-status-changed', userId: done.value.userId })
  return done
}
