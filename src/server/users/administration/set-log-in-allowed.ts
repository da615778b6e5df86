import type { Result } from '#core/result.ts'
import { deleteSessionsOf } from '#server/users/sessions/sessions.queries.ts'
import type { Ctx } from '#server/platform/context/context.ts'
import { type Edited, type EditRefusal, editUser, type MeasureEdit } from '#server/users/administration/edit-user.ts'

/**
 * Blocks or allows log-in for a user. A block ends all sessions and their sockets immediately. In a later session the
 * user can only take the money out and read the user's own records. Open orders settle as usual.
 */
export async function setLogInAllowed(
  ctx: Ctx,
  edit: MeasureEdit & { readonly maySignIn: boolean },
): Promise<Result<Edited, EditRefusal>> {
  const { maySignIn, mode } = edit
  const reason = maySignIn ? '' : edit.reason
  const done = await editUser(ctx, edit, (account) => ({
    measures: { mode, wanted: [{ kind: 'sign_in_off', set: maySignIn ? null : { value: null, reason } }] },
    before: { sign_in: stateOf(account.maySignIn), sign_in_reason: account.signInReason },
    after: { sign_in: stateOf(maySignIn), sign_in_reason: reason },
    alongside: (tx, { id }) => deleteSessionsOf(tx, id),
  }))
  if (done.ok) ctx.publish({ kind: 'session-ended', userId: done.value.id, tokenHash: null })
  return done
}

const stateOf = (may: boolean) => (may ? 'allowed' : 'blocked')
