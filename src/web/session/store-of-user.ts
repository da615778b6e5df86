import { getSession, onSessionChange } from '#web/session/session.ts'
import { createStore, type Store } from '#ui/state/store.ts'

/** Creates a store of data of the logged-in user. A log-out and a log-in of another user empty the store. */
export function storeOfUser<T>(empty: T): Store<T> {
  const store = createStore<T>(empty)
  let userId = getSession()?.user.id
  onSessionChange(() => {
    const next = getSession()?.user.id
    if (next === userId) return
    userId = next
    store.set(empty)
  })
  return store
}
