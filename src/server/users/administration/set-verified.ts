import type { Result } from '#core/result.ts'
import { deleteSessionsOf } from '#server/users/sessions/sessions.queries.ts'
import type { Ctx } from '#server/platform/context/context.ts'
import { type Edit, type Edited, type EditRefusal, editUser } from '#server/users/administration/edit-user.ts'

/**
 * Sets or removes a user's verification. The reason for a removal is shown to the user.
 * All sessions end, as after a verification by code, so that none keeps outdated permissions.
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
  if (done.ok) ctx.publish({ kind: 'session-ended', userId: done.value.id, tokenHash: null })
  return done
}
