import { isCode } from '#core/accounts/one-time-code.ts'
import { type Result, ok, refuse } from '#core/result.ts'
import { MINUTE_MS } from '#core/time/instant.ts'
import { forgiveAttempts, takeAttempt } from '#server/auth/attempts.ts'
import type { Passwords } from '#server/auth/passwords.ts'
import type { Ctx } from '#server/context.ts'
import { findCode, findRecipient, markVerified, VERIFY_ACCOUNT } from '#server/verification/verification.queries.ts'

/** Five tries, however many codes were sent meanwhile. */
const TRIES = { limit: 5, windowMs: 15 * MINUTE_MS, lockMs: 15 * MINUTE_MS }

/** Verifies the account with the newest code, once, and ends all its sessions. */
export async function verifyCode(
  { ctx, passwords }: { readonly ctx: Ctx; readonly passwords: Passwords },
  userId: string,
  given: string,
): Promise<Result<undefined, 'code_wrong' | 'already_verified' | 'too_many_attempts'>> {
  const recipient = await findRecipient(ctx.db, userId)
  if (recipient?.verified) return refuse('already_verified')
  const tries = `verify-code:${userId}`
  const wait = await takeAttempt(ctx, tries, TRIES)
  if (wait > 0) return refuse('too_many_attempts', { params: { seconds: wait } })

  const stored = await findCode(ctx.db, userId, VERIFY_ACCOUNT)
  const code = given.trim()
  if (!stored || ctx.now() >= stored.expiresAt || !isCode(code)) return refuse('code_wrong')
  if (!(await passwords.verify(stored.hash, code))) return refuse('code_wrong')
  const isDone = await ctx.db.transaction().execute((tx) => markVerified(tx, userId, stored.hash))
  if (!isDone) return refuse('code_wrong')
  await forgiveAttempts(ctx, tries)
  ctx.announce({ kind: 'session-ended', userId, tokenHash: null })
  ctx.announce({ kind: 'account-changed', userId })
  return ok()
}
