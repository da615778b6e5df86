import { call } from '#web/api/call.ts'
import { useGo } from '#web/session/navigation.ts'
import { signOut } from '#web/session/session.ts'
import { keepReturnPath, storeRequestedPath } from '#web/session/visit.ts'

/** Logs out and goes home without waiting for the server. */
export function useLogout(): () => void {
  const go = useGo()
  return () => {
    // The call reads the token before its first await, so the session can be cleared immediately. If the call fails,
    // the token stays valid on the server until it expires. This browser has no copy left.
    void call('POST /user/auth/logout').catch(() => undefined)
    keepReturnPath(null)
    storeRequestedPath(null)
    signOut()
    go('/')
  }
}
