import { call } from '#web/api/call.ts'
import { getSession, isUserVersion, nextUserVersion, updateUser, type User } from '#web/session/session.ts'

/** The refresh that started last. */
let latest: { readonly version: number; readonly done: Promise<void> } | null = null

/** Reloads the account and its balance. A failure is silent and keeps the known data. */
export function refreshUser(): Promise<void> {
  const version = nextUserVersion()
  latest = { version, done: refresh(version) }
  return latest.done
}

/**
 * Runs a call that replies with the user, and keeps its reply. If the balance changed during the call, the reply may
 * have been read before that change, so the account is loaded again.
 */
export function takeUser(ask: () => Promise<User>): Promise<void> {
  return take(ask, nextUserVersion())
}

async function refresh(version: number): Promise<void> {
  try {
    await take(async () => (await call('GET /user/profile')).data.user, version)
  } catch {
    // Silent by design: the screens show failures of their own calls.
  }
}

async function take(ask: () => Promise<User>, version: number): Promise<void> {
  const token = getSession()?.token
  const user = await ask()
  // The user may have changed during the request.
  if (token !== getSession()?.token) return
  if (isUserVersion(version)) updateUser(user)
  // A refresh that started later brings newer data. It repeats itself if needed, so two of them never repeat each other.
  else await (latest !== null && latest.version > version ? latest.done : refreshUser())
}
