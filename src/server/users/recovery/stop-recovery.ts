import { type Result, ok, refuse } from '#core/result.ts'
import { type Actor, recordAction } from '#server/audit/record-action.ts'
import type { Ctx } from '#server/platform/context/context.ts'
import { endRecovery, findWaitingRecovery, lockRecovery } from '#server/users/recovery/recovery.queries.ts'

/** Who stops a recovery: its user, with a session or a link, or a staff member. */
type Stopper = { readonly isUser: true } | { readonly isUser: false; readonly actor: Actor; readonly reason: string }

/** Stops a recovery that has not ended. This is possible until the user has set new factors with the link. */
export async function stopRecovery(
  ctx: Ctx,
  id: string,
  by: Stopper,
): Promise<Result<null, 'not_found' | 'recovery_over'>> {
  const done = await ctx.db.transaction().execute(async (tx) => {
    const recovery = await lockRecovery(tx, id)
    if (recovery === null) return refuse('not_found')
    const { state, userId } = recovery
    if (state !== 'asked' && state !== 'waiting') return refuse('recovery_over')
    const name = by.isUser ? 'user' : by.actor.who
    await endRecovery(tx, recovery, { state: 'stopped', by: name, at: ctx.now() })
    if (!by.isUser) {
      const change = { before: { state }, after: { state: 'stopped', recovery: id } }
      await recordAction(tx, ctx, by.actor, { target: userId, reason: by.reason, outcome: 'done', ...change })
    }
    return ok(userId)
  })
  if (!done.ok) return done
  ctx.publish({ kind: 'account-changed', userId: done.value })
  return ok(null)
}

/** Stops the confirmed recovery of a user's account, for a session of this user. */
export async function stopOwnRecovery(ctx: Ctx, userId: string): Promise<Result<null, 'recovery_over'>> {
  const recovery = await findWaitingRecovery(ctx.db, userId)
  const stopped = recovery === null ? null : await stopRecovery(ctx, recovery.id, { isUser: true })
  return stopped?.ok === true ? stopped : refuse('recovery_over')
}
