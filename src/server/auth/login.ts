import { usernameKey } from '#core/accounts/username.ts'
import { type Result, ok, refuse } from '#core/result.ts'
import { MINUTE_MS } from '#core/time/instant.ts'
import type { AccountLimits } from '#server/auth/account-limits.ts'
import { forgiveAttempts, giveBackAttempt, takeAttempt } from '#server/auth/attempts.ts'
import { findCredentials, hasSessionFrom, holdPassword } from '#server/auth/auth.queries.ts'
import { type Device, openSession } from '#server/auth/open-session.ts'
import type { Passwords } from '#server/auth/passwords.ts'
import type { Ctx } from '#server/context.ts'

const WINDOW = { windowMs: 15 * MINUTE_MS, lockMs: 15 * MINUTE_MS }

export interface LoginParts extends Pick<AccountLimits, 'wrongLoginsPerName' | 'wrongLoginsPerAddress'> {
  readonly ctx: Ctx
  readonly passwords: Passwords
}

/**
 * Opens a session for a name and its password. A name that nobody has is throttled, takes as long and is answered
 * exactly as a wrong password. Sessions that are open are not touched by a lock.
 */
export async function login(
  { ctx, passwords, wrongLoginsPerName, wrongLoginsPerAddress }: LoginParts,
  given: { readonly username: string; readonly password: string },
  from: Device,
): Promise<Result<{ userId: string; token: string }, 'credentials_wrong' | 'too_many_attempts'>> {
  const byAddress = `login:address:${from.address}`
  const name = usernameKey(given.username)
  // Whoever locks a name from elsewhere does not lock out its owner where a session of theirs is open already.
  const isKnown = await hasSessionFrom(ctx.db, { username: name, address: from.address, now: ctx.now() })
  const byName = isKnown ? `login:known:${name}:${from.address}` : loginAttempts(name)
  const wait =
    (await takeAttempt(ctx, byAddress, { ...WINDOW, limit: wrongLoginsPerAddress })) ||
    (await takeAttempt(ctx, byName, { ...WINDOW, limit: wrongLoginsPerName }))
  if (wait > 0) return refuse('too_many_attempts', { params: { seconds: wait } })

  const credentials = await findCredentials(ctx.db, given.username)
  const isRight = await passwords.verify(credentials?.passwordHash ?? null, given.password)
  if (!credentials || !isRight) return refuse('credentials_wrong')

  const { userId, passwordHash } = credentials
  // A password that is changed meanwhile ends all sessions: this one must be among them, or not be opened.
  const token = await ctx.db.transaction().execute(async (tx) => {
    const isStillRight = await holdPassword(tx, userId, passwordHash)
    return isStillRight ? openSession(ctx, userId, from, tx) : null
  })
  if (token === null) return refuse('credentials_wrong')
  await forgiveAttempts(ctx, byName)
  await giveBackAttempt(ctx, byAddress)
  return ok({ userId, token })
}

/** What wrong passwords of a name are counted under. */
export function loginAttempts(username: string): string {
  return `login:name:${usernameKey(username)}`
}
