import type { UserOut } from '#contract/profile.ts'
import { readJson, writeItem } from '#ui/state/browser-storage.ts'
import { createStore, useStore } from '#ui/state/store.ts'

export type User = UserOut

/** Who is signed in, as kept in local storage and shared by all tabs. */
export interface Session {
  token: string
  user: User
}

const KEY = 'session'
const store = createStore<Session | null>(readStored())

/** The session, followed: the component draws anew when it changes in any tab. */
export function useSession(): Session | null {
  return useStore(store)
}

export function getSession(): Session | null {
  return store.get()
}

/** Calls back on every sign-in, sign-out and change of the user; answers how to stop. */
export const onSessionChange = store.subscribe

export function signIn(session: Session): void {
  keep(session)
}

/** Forgets the session in this browser. To end it on the server too, call `POST /user/auth/logout` before. */
export function signOut(): void {
  keep(null)
}

/** Changes parts of the signed-in user, such as the balance a result brought. Without a session nothing happens. */
export function updateUser(change: Partial<User>): void {
  const session = store.get()
  if (session !== null) keep({ ...session, user: { ...session.user, ...change } })
}

function keep(session: Session | null): void {
  writeItem('localStorage', KEY, session === null ? null : JSON.stringify(session))
  store.set(session)
}

function readStored(): Session | null {
  const stored = readJson('localStorage', KEY)
  return isSession(stored) ? stored : null
}

/** Enough of a check to never crash on what an older release or somebody's hand left in storage. */
function isSession(value: unknown): value is Session {
  if (typeof value !== 'object' || value === null || !('token' in value) || !('user' in value)) return false
  const { token, user } = value
  return typeof token === 'string' && typeof user === 'object' && user !== null && 'ev' in user && 'balance' in user
}

let tellEnded: ((session: Session) => void) | null = null

/** Calls back with the session that another tab has ended, before this tab forgets it. */
export function onSessionEndedInOtherTab(callback: (session: Session) => void): void {
  tellEnded = callback
}

// Another tab signed in or out: follow it. Storage events never come for the own tab's writes.
globalThis.addEventListener?.('storage', (event) => {
  if (event.key !== KEY && event.key !== null) return
  const before = store.get()
  const now = readStored()
  if (before !== null && now === null) tellEnded?.(before)
  store.set(now)
})
