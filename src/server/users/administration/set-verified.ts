import type { Result } from '#core/result.ts'
import { deleteSessionsOf } from '#server/users/sessions/sessions.queries.ts'
import type { Ctx } from '#server/platform/context/context.ts'
import { type Edit, type Edited, type EditRefusal, editUser } from '#server/users/administration/edit-user.ts'

/**
 * Says that a user is verified, or no longer; the reason why not is for the user to read. As when users verify themselves,
 * they log in again: no open session goes on with what it may no longer do.
 */
export async function setVerified(
  ctx: Ctx,
  edit: Edit & { readonly verified: boolean },
): Promise<Result<Edited, EditRefusal>> {
  const { verified } = edit
  const given = verified ? '' : edit.reason
  const done = await editUser(ctx, edit, (account) => ({
    set: { verified, verification_reason: given },
    before: { verified: account.verified, verification_reason: account.verificationReason },
    after: { verified, verification_reason: given },
    alongside: (tx, { id }) => deleteSessionsOf(tx, id),
  }))
  if (done.ok) ctx.announce({ kind: 'session-ended', userId: done.value.id, tokenHash: null })
  return done
}
