import type { z } from 'zod'
import type { resetPassword as resetPasswordContract } from '#contract/password-reset.ts'
import { passwordRefusal } from '#core/accounts/password.ts'
import { type Result, ok, refuse } from '#core/result.ts'
import { forgiveAttempts } from '#server/auth/attempts.ts'
import { isCommonPassword } from '#server/auth/common-password.ts'
import { loginAttempts } from '#server/auth/login.ts'
import type { Passwords } from '#server/auth/passwords.ts'
import type { Ctx } from '#server/context.ts'
import type { SignIns } from '#server/security/sign-ins.ts'
import { checkResetCode } from '#server/password-reset/check-reset-code.ts'
import { replacePassword } from '#server/password-reset/password-reset.queries.ts'

type Form = z.output<typeof resetPasswordContract.body>
export type ResetRefusal = (typeof resetPasswordContract.refusals)[number]

/** Sets a new password with a code, once, and ends all sessions of the account with their sockets. */
export async function resetPassword(
  parts: { readonly ctx: Ctx; readonly passwords: Passwords; readonly signIns: Pick<SignIns, 'notify'> },
  form: Form,
): Promise<Result<undefined, ResetRefusal>> {
  const { ctx, passwords } = parts
  const refusal = passwordRefusal(form.password, form.password_confirmation)
  if (refusal) return refuse(refusal)
  if (isCommonPassword(form.password)) return refuse('password_common')
  const right = await checkResetCode(parts, { email: form.email, code: form.token })
  if (!right.ok) return right.refusal === 'code_wrong' ? refuse('code_wrong', { field: 'token' }) : right
  const { userId, username, codeHash } = right.value
  const passwordHash = await passwords.hash(form.password)
  const isDone = await ctx.db
    .transaction()
    .execute((tx) => replacePassword(tx, { userId, codeHash, passwordHash, at: ctx.now() }))
  if (!isDone) return refuse('code_wrong', { field: 'token' })
  // Those who forgot their password have often tried it too many times.
  await forgiveAttempts(ctx, loginAttempts(username))
  ctx.announce({ kind: 'session-ended', userId, tokenHash: null })
  parts.signIns.notify(userId, 'password')
  return ok()
}
