import { createHash } from 'node:crypto'
import { readCode } from '#core/accounts/one-time-code.ts'
import { readRecoveryCode } from '#core/accounts/recovery-code.ts'
import { type Result, ok, refuse } from '#core/result.ts'
import { type Attempt, attemptsWereRight, consumeAttempts } from '#server/platform/limits/attempt-limits.ts'
import { subnetOf } from '#server/platform/limits/subnet.ts'
import { matchTotpStep } from '#server/platform/credentials/totp.ts'
import type { Ctx } from '#server/platform/context/context.ts'
import { userSecretPlace } from '#server/platform/encryption/sealed-details.ts'
import { findSecret, takeRecoveryCode, takeStep } from '#server/users/security/factors.queries.ts'

export interface Prover {
  readonly userId: string
  readonly address: string
  /** A short key of the device, when its user has logged in with it before. */
  readonly knownDevice: string | null
}

/**
 * Checks a code of the user's authenticator app or a recovery code. Each code works only once. Known devices have a
 * separate limit, so an attacker with the password but no code cannot lock the user out on a known device.
 */
export async function checkCode(
  ctx: Ctx,
  { userId, address, knownDevice }: Prover,
  typed: string,
): Promise<Result<'code' | 'recovery', 'second_code_wrong' | 'too_many_attempts'>> {
  const attempts: Attempt[] =
    knownDevice === null
      ? [
          { limit: 'second_step_network', key: subnetOf(address) },
          { limit: 'second_step_user', key: userId },
        ]
      : [{ limit: 'second_step_device', key: `${userId}:${knownDevice}` }]
  const wait = await consumeAttempts(ctx, attempts)
  if (wait > 0) return refuse('too_many_attempts', { params: { seconds: wait } })
  const how = await matching(ctx, userId, typed)
  if (how === null) return refuse('second_code_wrong')
  await attemptsWereRight(ctx, attempts)
  return ok(how)
}

async function matching(ctx: Ctx, userId: string, typed: string): Promise<'code' | 'recovery' | null> {
  const code = readCode(typed)
  if (code !== null) {
    const secret = await findSecret(ctx.db, userId)
    if (secret?.isOn !== true) return null
    const step = matchTotpStep(ctx.vault.decrypt(secret.sealed, userSecretPlace(userId)), code, ctx.now())
    return step !== null && (await takeStep(ctx.db, userId, { sealed: secret.sealed, step })) ? 'code' : null
  }
  const recovery = readRecoveryCode(typed)
  return recovery !== null && (await takeRecoveryCode(ctx.db, userId, hashRecoveryCode(userId, recovery)))
    ? 'recovery'
    : null
}

/** Hashes a recovery code. Its 80 random bits need no slow hash. The user id makes equal codes of two users differ. */
export function hashRecoveryCode(userId: string, code: string): Uint8Array {
  return new Uint8Array(createHash('sha256').update(`recovery ${userId} ${code}`).digest())
}
