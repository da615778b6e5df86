import type { PasskeyUsed } from '#contract/security.ts'
import { type Result, ok, refuse } from '#core/result.ts'
import { type Instant, later, MINUTE_MS } from '#core/time/instant.ts'
import { clearAttempts, consumeAttempt } from '#server/platform/limits/attempt-limits.ts'
import { userAsker } from '#server/platform/limits/fair-queue.ts'
import { sessionKey } from '#server/platform/credentials/session-token.ts'
import type { AuthenticatedUser } from '#server/platform/http/signed-in.ts'
import type { Passwords } from '#server/platform/credentials/passwords.ts'
import type { Ctx } from '#server/platform/context/context.ts'
import { findPasswordHash } from '#server/users/accounts/profile.queries.ts'
import { checkCode } from '#server/users/security/check-code.ts'
import { findFactors, hasSecondStep } from '#server/users/security/factors.queries.ts'
import { checkPasskey } from '#server/users/security/check-passkey.ts'
import type { PasskeySite } from '#server/users/security/passkeys.ts'

/** 10 minutes: a confirmation is valid for this time. */
export const CONFIRMED_FOR_MS = 10 * MINUTE_MS

/**
 * Returns whether the user must confirm the identity in this session, before a withdrawal or a change of the account. A
 * confirmation is valid for ten minutes. Without `always`, only users with a second step must confirm.
 */
export async function needsConfirmation(
  ctx: Ctx,
  { userId, tokenHash }: Pick<AuthenticatedUser, 'userId' | 'tokenHash'>,
  { always = false }: { readonly always?: boolean } = {},
): Promise<boolean> {
  if (!always && !hasSecondStep(await findFactors(ctx.db, userId))) return false
  const row = await ctx.db
    .selectFrom('session')
    .select('confirmed_ms')
    .where('token_hash', '=', tokenHash)
    .executeTakeFirst()
  return row === undefined || Number(row.confirmed_ms) <= ctx.now() - CONFIRMED_FOR_MS
}

interface Proof {
  readonly password: string | null
  readonly code: string | null
  readonly passkey: { readonly ticket: string; readonly response: PasskeyUsed } | null
}

export type ConfirmRefusal =
  | 'confirmation_wrong'
  | 'second_code_wrong'
  | 'passkey_wrong'
  | 'ticket_over'
  | 'too_many_attempts'

/**
 * Marks this session as confirmed if the proof is right. A password is accepted only when the account has no second
 * step.
 */
export async function confirm(
  parts: { readonly ctx: Ctx; readonly passwords: Passwords; readonly site: PasskeySite | null },
  user: AuthenticatedUser,
  { proof, address }: { readonly proof: Proof; readonly address: string },
): Promise<Result<Instant, ConfirmRefusal>> {
  const { ctx } = parts
  const proved = await prove(parts, user, { proof, address })
  if (!proved.ok) return proved
  const now = ctx.now()
  await ctx.db.updateTable('session').set({ confirmed_ms: now }).where('token_hash', '=', user.tokenHash).execute()
  return ok(later(now, CONFIRMED_FOR_MS))
}

async function prove(
  { ctx, passwords, site }: { readonly ctx: Ctx; readonly passwords: Passwords; readonly site: PasskeySite | null },
  { userId, tokenHash }: AuthenticatedUser,
  { proof, address }: { readonly proof: Proof; readonly address: string },
): Promise<Result<unknown, ConfirmRefusal>> {
  if (hasSecondStep(await findFactors(ctx.db, userId))) {
    if (proof.passkey) return checkPasskey(ctx, site, { kind: 'passkey_confirm', userId, ...proof.passkey })
    // Attempts are counted per session, so that a thief with another session cannot lock this session.
    return checkCode(ctx, { userId, address, knownDevice: sessionKey(tokenHash) }, proof.code ?? '')
  }
  const tries = { limit: 'confirm_password', key: `${userId}:${sessionKey(tokenHash)}` } as const
  const wait = await consumeAttempt(ctx, tries)
  if (wait > 0) return refuse('too_many_attempts', { params: { seconds: wait } })
  const hash = await findPasswordHash(ctx.db, userId)
  if (!(await passwords.verify(hash, proof.password ?? '', userAsker(userId)))) return refuse('confirmation_wrong')
  await clearAttempts(ctx, tries)
  return ok()
}
