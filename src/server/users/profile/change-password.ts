import type { z } from 'zod'
import type { changePassword as changePasswordContract } from '#contract/profile.ts'
import { passwordRefusal } from '#core/accounts/password.ts'
import { type Result, ok, refuse } from '#core/result.ts'
import { clearAttempts, consumeAttempt } from '#server/platform/limits/attempt-limits.ts'
import { userAsker } from '#server/platform/limits/fair-queue.ts'
import { sessionKey } from '#server/platform/credentials/session-token.ts'
import { deleteOtherSessions } from '#server/users/sessions/sessions.queries.ts'
import type { AuthenticatedUser } from '#server/platform/http/signed-in.ts'
import { isCommonPassword } from '#server/platform/credentials/common-password.ts'
import type { Passwords } from '#server/platform/credentials/passwords.ts'
import type { Ctx } from '#server/platform/context/context.ts'
import { needsConfirmation } from '#server/users/security/confirm-identity.ts'
import { noteSecurityChange } from '#server/users/security/security-change.queries.ts'
import { dropTickets } from '#server/users/security/tickets.ts'
import { findPasswordHash, updatePasswordHash } from '#server/users/accounts/profile.queries.ts'

type Form = z.output<typeof changePasswordContract.body>
export type ChangePasswordRefusal = (typeof changePasswordContract.refusals)[number]

/** Changes the password and ends all other sessions with their sockets. The current session stays open. */
export async function changePassword(
  { ctx, passwords }: { readonly ctx: Ctx; readonly passwords: Passwords },
  { userId, tokenHash }: AuthenticatedUser,
  form: Form,
): Promise<Result<undefined, ChangePasswordRefusal>> {
  const refusal = passwordRefusal(form.password, form.password_confirmation)
  if (refusal) return refuse(refusal)
  if (isCommonPassword(form.password)) return refuse('password_common')
  if (await needsConfirmation(ctx, { userId, tokenHash })) return refuse('confirmation_needed')
  // Attempts are counted per session, so that a thief with another session cannot lock this session.
  const tries = { limit: 'change_password', key: `${userId}:${sessionKey(tokenHash)}` } as const
  const wait = await consumeAttempt(ctx, tries)
  if (wait > 0) return refuse('too_many_attempts', { params: { seconds: wait } })
  const current = await findPasswordHash(ctx.db, userId)
  if (current === null || !(await passwords.verify(current, form.current_password, userAsker(userId))))
    return refuse('current_password_wrong')

  const next = await passwords.hash(form.password, userAsker(userId))
  const endedHashes = await ctx.db.transaction().execute(async (tx) => {
    const isChanged = await updatePasswordHash(tx, userId, { from: current, to: next })
    if (!isChanged) return null
    await noteSecurityChange(tx, { userId, what: 'password', at: ctx.now() })
    await dropTickets(tx, userId)
    return deleteOtherSessions(tx, userId, tokenHash)
  })
  // A concurrent change came first, so the typed password is no longer the current one.
  if (endedHashes === null) return refuse('current_password_wrong')
  await clearAttempts(ctx, tries)
  for (const other of endedHashes) ctx.publish({ kind: 'session-ended', userId, tokenHash: other })
  // The database ended the API keys as well, so their cached entries must go.
  ctx.publish({ kind: 'account-changed', userId })
  return ok()
}
