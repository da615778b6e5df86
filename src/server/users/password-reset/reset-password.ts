import type { z } from 'zod'
import type { resetPassword as resetPasswordContract } from '#contract/password-reset.ts'
import { passwordRefusal } from '#core/accounts/password.ts'
import { usernameKey } from '#core/accounts/username.ts'
import { type Result, ok, refuse } from '#core/result.ts'
import { isCommonPassword } from '#server/platform/credentials/common-password.ts'
import { logInAttempts } from '#server/users/log-in/log-in.ts'
import type { Passwords } from '#server/platform/credentials/passwords.ts'
import type { Ctx } from '#server/platform/context/context.ts'
import { clearAttempts } from '#server/platform/limits/attempt-limits.ts'
import { strangerAsker } from '#server/platform/limits/fair-queue.ts'
import { checkResetCode } from '#server/users/password-reset/check-reset-code.ts'
import { replacePassword } from '#server/users/password-reset/password-reset.queries.ts'
import type { LogInRecorder } from '#server/users/sessions/record-log-in.ts'

type Form = z.output<typeof resetPasswordContract.body>
export type ResetRefusal = (typeof resetPasswordContract.refusals)[number]

/**
 * Sets a new password with a code, once, and ends all sessions of the account with their sockets. Returns a device
 * token that makes this browser a known device. The user can then log in with this browser, even while attackers try
 * passwords.
 */
export async function resetPassword(
  parts: {
    readonly ctx: Ctx
    readonly passwords: Passwords
    readonly signIns: Pick<LogInRecorder, 'rememberDevice'>
  },
  form: Form,
  from: { readonly address: string },
): Promise<Result<{ readonly device: string }, ResetRefusal>> {
  const { ctx, passwords, signIns } = parts
  const refusal = passwordRefusal(form.password, form.password_confirmation)
  if (refusal) return refuse(refusal)
  if (isCommonPassword(form.password)) return refuse('password_common')
  const given = {
    email: form.email ?? null,
    code: form.token,
    request: form.request ?? null,
    from: from.address,
    device: form.device ?? null,
  }
  const right = await checkResetCode(parts, given)
  if (!right.ok) return right.refusal === 'code_wrong' ? refuse('code_wrong', { field: 'token' }) : right
  const { resetId, accounts } = right.value
  const wanted = form.username ?? ''
  const account =
    wanted === '' ? accounts[0] : accounts.find((one) => usernameKey(one.username) === usernameKey(wanted))
  if (account === undefined) return refuse('account_not_offered', { field: 'username' })
  const passwordHash = await passwords.hash(form.password, strangerAsker(from.address))
  const device = await ctx.db.transaction().execute(async (tx) => {
    const isDone = await replacePassword(tx, { userId: account.id, resetId, passwordHash, at: ctx.now() })
    return isDone ? signIns.rememberDevice(tx, account.id, form.device ?? null) : null
  })
  if (device === null) return refuse('code_wrong', { field: 'token' })
  // Users often exceed the log-in limit before they reset a forgotten password, so the count starts again.
  await clearAttempts(ctx, logInAttempts(account.username))
  ctx.publish({ kind: 'session-ended', userId: account.id, tokenHash: null })
  return ok({ device })
}
