import { isCode } from '#core/accounts/one-time-code.ts'
import { readResetAddress } from '#core/accounts/reset-address.ts'
import { type Result, ok, refuse } from '#core/result.ts'
import { MINUTE_MS } from '#core/time/instant.ts'
import { forgiveAttempts, takeAttempt } from '#server/auth/attempts.ts'
import type { Passwords } from '#server/auth/passwords.ts'
import type { Ctx } from '#server/context.ts'
import { findAccount, RESET_PASSWORD } from '#server/password-reset/password-reset.queries.ts'
import { attemptKey } from '#server/password-reset/send-reset-code.ts'
import { findCode } from '#server/verification/verification.queries.ts'

/** Five tries, however many codes were sent meanwhile. */
const TRIES = { limit: 5, windowMs: 15 * MINUTE_MS, lockMs: 15 * MINUTE_MS }

/** Looked up where there is no account, so that it takes as long. */
const NOBODY = '00000000-0000-0000-0000-000000000000'

/** Whose code was right, and which. */
export interface RightCode {
  readonly userId: string
  readonly username: string
  readonly codeHash: string
}

/**
 * Compares a code with the newest one of the account, which stays usable. An address that nobody has is counted,
 * takes as long and is answered exactly as a wrong code.
 */
export async function checkResetCode(
  { ctx, passwords }: { readonly ctx: Ctx; readonly passwords: Passwords },
  given: { readonly email: string; readonly code: string },
): Promise<Result<RightCode, 'code_wrong' | 'too_many_attempts'>> {
  const address = readResetAddress(given.email)
  const account = address === null ? null : await findAccount(ctx.db, address)
  // By account where there is one: its mail address and number are not two times five tries.
  const tries = `reset:code:${account?.id ?? attemptKey(address, given.email)}`
  const wait = await takeAttempt(ctx, tries, TRIES)
  if (wait > 0) return refuse('too_many_attempts', { params: { seconds: wait } })

  const stored = await findCode(ctx.db, account?.id ?? NOBODY, RESET_PASSWORD)
  const code = given.code.trim()
  const isFresh = stored !== null && ctx.now() < stored.expiresAt
  const isRight = await passwords.verify(isFresh ? stored.hash : null, code)
  if (account === null || stored === null || !isRight || !isCode(code)) return refuse('code_wrong')
  await forgiveAttempts(ctx, tries)
  return ok({ userId: account.id, username: account.username, codeHash: stored.hash })
}
