import { readCode } from '#core/accounts/one-time-code.ts'
import { type Result, ok, refuse } from '#core/result.ts'
import { clearAttempts, consumeAttempt } from '#server/platform/limits/attempt-limits.ts'
import type { Passwords } from '#server/platform/credentials/passwords.ts'
import type { Ctx } from '#server/platform/context/context.ts'
import { codeAsker, type Requester } from '#server/users/verification/send-code.ts'
import { markVerified } from '#server/users/verification/verification.queries.ts'
import { closeSamePeople } from '#server/users/limits/close-same-person.ts'
import { keepTraits } from '#server/users/limits/keep-traits.ts'
import { findCode, findRecipient, VERIFY_ACCOUNT } from '#server/users/accounts/one-time-codes.queries.ts'

/**
 * Verifies the account with the newest code, which works only once. The first verification ends all sessions of the
 * user.
 */
export async function verifyCode(
  { ctx, passwords }: { readonly ctx: Ctx; readonly passwords: Passwords },
  requester: Requester,
  given: string,
): Promise<Result<undefined, 'code_wrong' | 'already_verified' | 'too_many_attempts'>> {
  const { userId } = requester
  const recipient = await findRecipient(ctx.db, userId)
  if (!recipient || recipient.toProve === null) return refuse('already_verified')
  const tries = { limit: 'verify_code', key: userId } as const
  const wait = await consumeAttempt(ctx, tries)
  if (wait > 0) return refuse('too_many_attempts', { params: { seconds: wait } })

  const stored = await findCode(ctx.db, userId, VERIFY_ACCOUNT)
  const code = readCode(given)
  if (!stored || ctx.now() >= stored.expiresAt || code === null) return refuse('code_wrong')
  if (!(await passwords.verify(stored.hash, code, codeAsker(requester, recipient)))) return refuse('code_wrong')
  const isFirst = !recipient.verified
  const { sentTo, hash: codeHash } = stored
  const isDone = await ctx.db.transaction().execute(async (tx) => {
    if (!(await markVerified(tx, { userId, codeHash, sentTo, isFirst }))) return false
    await keepTraits(tx, ctx.vault, userId)
    return true
  })
  if (!isDone) return refuse('code_wrong')
  await closeSamePeople(ctx, userId)
  await clearAttempts(ctx, tries)
  if (isFirst) ctx.publish({ kind: 'session-ended', userId, tokenHash: null })
  ctx.publish({ kind: 'account-changed', userId })
  return ok()
}
