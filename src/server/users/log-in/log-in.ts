import { usernameKey } from '#core/accounts/username.ts'
import { type Result, ok, refuse } from '#core/result.ts'
import { type Attempt, attemptsWereRight, consumeAttempts } from '#server/platform/limits/attempt-limits.ts'
import { strangerAsker } from '#server/platform/limits/fair-queue.ts'
import { hasSessionFrom } from '#server/users/sessions/sessions.queries.ts'
import { findCredentials, lockPasswordRow } from '#server/users/accounts/users.queries.ts'
import { subnetOf } from '#server/platform/limits/subnet.ts'
import type { Device } from '#server/platform/http/signed-in.ts'
import type { Passwords } from '#server/platform/credentials/passwords.ts'
import type { Ctx } from '#server/platform/context/context.ts'
import { knownDevice } from '#server/users/sessions/devices.queries.ts'
import { type Factors, findFactors, hasSecondStep } from '#server/users/security/factors.queries.ts'
import type { Opened, LogInRecorder } from '#server/users/sessions/record-log-in.ts'
import { issueTicket } from '#server/users/security/tickets.ts'

export interface LoginParts {
  readonly ctx: Ctx
  readonly passwords: Passwords
  readonly signIns: LogInRecorder
}

/** The reply after a right password, when the account has a second step. */
export interface NeedsSecondStep {
  readonly ticket: string
  readonly ways: ('code' | 'passkey' | 'recovery')[]
}

/**
 * Opens a session for a name and password, or requests the second step.
 * An unknown name has the same limits, duration and reply as a wrong password. A locked name does not affect open
 * sessions.
 */
export async function login(
  { ctx, passwords, signIns }: LoginParts,
  given: { readonly username: string; readonly password: string; readonly device?: string | null | undefined },
  from: Device,
): Promise<Result<Opened | NeedsSecondStep, 'credentials_wrong' | 'too_many_attempts'>> {
  const name = usernameKey(given.username)
  const device = given.device ?? null
  const attempts = await attemptsOf(ctx, { name, device, address: from.address })
  const wait = await consumeAttempts(ctx, attempts)
  if (wait > 0) return refuse('too_many_attempts', { params: { seconds: wait } })

  const credentials = await findCredentials(ctx.db, given.username)
  const isRight = await passwords.verify(credentials?.passwordHash ?? null, given.password, strangerAsker(from.address))
  if (!credentials || !isRight) {
    await signIns.failed(credentials?.userId ?? null, 'password', from)
    return refuse('credentials_wrong')
  }
  const { userId, passwordHash } = credentials
  const entry = { userId, how: 'password', from, device } as const
  // A password change ends all sessions. The lock makes sure that a concurrent change ends this session too, or that
  // this session is not opened.
  const entered = await ctx.db.transaction().execute(async (tx) => {
    if (!(await lockPasswordRow(tx, userId, passwordHash))) return null
    const factors = await findFactors(tx, userId)
    if (!hasSecondStep(factors)) return signIns.open(tx, entry)
    const ticket = await issueTicket(ctx, tx, 'second_step', { userId, challenge: null })
    return { ticket, ways: waysOf(factors) }
  })
  if (entered === null) return refuse('credentials_wrong')
  await attemptsWereRight(ctx, attempts)
  if ('token' in entered) signIns.notifyLogIn(entered, entry)
  return ok(entered)
}

/**
 * Returns the limits for a log-in. A known device, or the network of an open session, has a separate limit. So
 * attackers elsewhere cannot lock the user out on this device or network.
 */
async function attemptsOf(
  ctx: Ctx,
  { name, device, address }: { readonly name: string; readonly device: string | null; readonly address: string },
): Promise<Attempt[]> {
  const known = device === null ? null : await knownDevice(ctx.db, name, device)
  if (known !== null || (await hasSessionFrom(ctx.db, { username: name, address, now: ctx.now() }))) {
    return [{ limit: 'log_in_device', key: `${name}:${known ?? subnetOf(address)}` }]
  }
  return [
    { limit: 'log_in_network', key: subnetOf(address) },
    logInAttempts(name),
    { limit: 'log_in_total', key: 'all' },
  ]
}

function waysOf({ authenticator, passkeys, recoveryCodes }: Factors): NeedsSecondStep['ways'] {
  return [
    ...(authenticator ? (['code'] as const) : []),
    ...(passkeys.length > 0 ? (['passkey'] as const) : []),
    ...(recoveryCodes > 0 ? (['recovery'] as const) : []),
  ]
}

/** Returns the limit on wrong passwords for a username from unknown devices. */
export function logInAttempts(username: string): Attempt {
  return { limit: 'log_in_name', key: usernameKey(username) }
}
