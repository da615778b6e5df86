import { call } from '#web/api/call.ts'
import { useGo } from '#web/session/navigation.ts'
import { signOut } from '#web/session/session.ts'
import { keepReturnPath, keepWantedPath } from '#web/session/visit.ts'

/** Logs out and goes home. The server is told, but nobody has to wait for it to be out. */
export function useLogout(): () => void {
  const go = useGo()
  return () => {
    // The call reads the token before it first waits, so the session may be forgotten at once. When it fails the
    // token lives on until it runs out; this browser has no copy left.
    void call('POST /user/auth/logout').catch(() => undefined)
    keepReturnPath(null)
    keepWantedPath(null)
    signOut()
    go('/')
  }
}
