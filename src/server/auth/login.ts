import { usernameKey } from '#core/accounts/username.ts'
import { type Result, ok, refuse } from '#core/result.ts'
import { MINUTE_MS } from '#core/time/instant.ts'
import type { AccountLimits } from '#server/auth/account-limits.ts'
import { forgiveAttempts, giveBackAttempt, takeAttempt } from '#server/auth/attempts.ts'
import { findCredentials, hasSessionFrom, holdPassword } from '#server/auth/auth.queries.ts'
import { networkOf } from '#server/auth/network-of.ts'
import type { Device } from '#server/auth/open-session.ts'
import type { Passwords } from '#server/auth/passwords.ts'
import type { Ctx } from '#server/context.ts'
import { knownDevice } from '#server/security/devices.queries.ts'
import { type Factors, findFactors, hasSecondStep } from '#server/security/factors.queries.ts'
import type { Opened, SignIns } from '#server/security/sign-ins.ts'
import { issueTicket } from '#server/security/tickets.ts'

const WINDOW = { windowMs: 15 * MINUTE_MS, lockMs: 15 * MINUTE_MS }
const IN_ALL = { windowMs: MINUTE_MS, lockMs: MINUTE_MS }

export interface LoginParts
  extends Pick<AccountLimits, 'wrongLoginsPerName' | 'wrongLoginsPerAddress' | 'wrongLoginsInAll'> {
  readonly ctx: Ctx
  readonly passwords: Passwords
  readonly signIns: SignIns
}

/** The password was right, and the account asks for more. */
export interface NeedsSecondStep {
  readonly ticket: string
  readonly ways: ('code' | 'passkey' | 'recovery')[]
}

/**
 * Opens a session for a name and its password, or asks for the second step. A name that nobody has is throttled, takes as
 * long and is answered exactly as a wrong password. Sessions that are open are not touched by a lock.
 */
export async function login(
  { ctx, passwords, signIns, wrongLoginsPerName, wrongLoginsPerAddress, wrongLoginsInAll }: LoginParts,
  given: { readonly username: string; readonly password: string; readonly device?: string | null | undefined },
  from: Device,
): Promise<Result<Opened | NeedsSecondStep, 'credentials_wrong' | 'too_many_attempts'>> {
  const byAddress = `login:address:${networkOf(from.address)}`
  const name = usernameKey(given.username)
  const device = given.device ?? null
  // Whoever locks a name from elsewhere does not lock out its owner, at a device they used before or where a session of
  // theirs is open already.
  const known = device === null ? null : await knownDevice(ctx.db, name, device)
  const isKnown =
    known !== null || (await hasSessionFrom(ctx.db, { username: name, address: from.address, now: ctx.now() }))
  const byName = isKnown ? `login:known:${name}:${known ?? from.address}` : loginAttempts(name)
  const wait =
    (await takeAttempt(ctx, byAddress, { ...WINDOW, limit: wrongLoginsPerAddress })) ||
    (await takeAttempt(ctx, byName, { ...WINDOW, limit: wrongLoginsPerName })) ||
    (isKnown ? 0 : await takeAttempt(ctx, EVERYWHERE, { ...IN_ALL, limit: wrongLoginsInAll }))
  if (wait > 0) return refuse('too_many_attempts', { params: { seconds: wait } })

  const credentials = await findCredentials(ctx.db, given.username)
  const isRight = await passwords.verify(credentials?.passwordHash ?? null, given.password)
  if (!credentials || !isRight) {
    await signIns.failed(credentials?.userId ?? null, 'password', from)
    return refuse('credentials_wrong')
  }
  const { userId, passwordHash } = credentials
  const entry = { userId, how: 'password', from, device } as const
  // A password that is changed meanwhile ends all sessions: this one must be among them, or not be opened.
  const entered = await ctx.db.transaction().execute(async (tx) => {
    if (!(await holdPassword(tx, userId, passwordHash))) return null
    const factors = await findFactors(tx, userId)
    if (!hasSecondStep(factors)) return signIns.open(tx, entry)
    const ticket = await issueTicket(ctx, tx, 'second_step', { userId, challenge: null })
    return { ticket, ways: waysOf(factors) }
  })
  if (entered === null) return refuse('credentials_wrong')
  await forgiveAttempts(ctx, byName)
  await giveBackAttempt(ctx, byAddress)
  if (!isKnown) await giveBackAttempt(ctx, EVERYWHERE)
  if ('token' in entered) signIns.told(entered, entry)
  return ok(entered)
}

const EVERYWHERE = 'login:everywhere'

function waysOf({ authenticator, passkeys, recoveryCodes }: Factors): NeedsSecondStep['ways'] {
  return [
    ...(authenticator ? (['code'] as const) : []),
    ...(passkeys.length > 0 ? (['passkey'] as const) : []),
    ...(recoveryCodes > 0 ? (['recovery'] as const) : []),
  ]
}

/** What wrong passwords of a name are counted under. */
export function loginAttempts(username: string): string {
  return `login:name:${usernameKey(username)}`
}
