import { call } from '#web/api/call.ts'
import { getSession, updateUser } from '#web/session/session.ts'

/** Reloads the account and its balance. A failure is silent and keeps the known data. */
export async function refreshUser(): Promise<void> {
  const token = getSession()?.token
  try {
    const { data } = await call('GET /user/profile')
    // The user may have changed during the request.
    if (token === getSession()?.token) updateUser(data.user)
  } catch {
    // Silent by design: the screens show failures of their own calls.
  }
}
