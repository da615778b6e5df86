import { call } from '#web/api/call.ts'
import { getSession, updateUser } from '#web/session/session.ts'

/** Asks for the account and its balance anew. Silent when it fails: what is known stays. */
export async function refreshUser(): Promise<void> {
  const token = getSession()?.token
  try {
    const { data } = await call('GET /user/profile')
    // The user may have changed while the answer was on its way.
    if (token === getSession()?.token) updateUser(data.user)
  } catch {
    // Shown nowhere by design: the screens tell about their own calls.
  }
}
