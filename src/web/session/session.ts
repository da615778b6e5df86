import type { UserOut } from '#contract/profile.ts'
import { readJson, writeItem } from '#ui/state/browser-storage.ts'
import { createStore, useStore } from '#ui/state/store.ts'

export type User = UserOut

/** The logged-in user, stored in local storage and shared by all tabs. */
export interface Session {
  token: string
  user: User
}

const KEY = 'session'
/** Storage key of the last order of each symbol. A log-out removes it, so that the next user of the device does not see it. */
export const LAST_ORDERS = 'last_orders'
const store = createStore<Session | null>(readStored())
/** Increases with each change of the balance and each request for the user, so that an outdated reply is noticed. */
let version = 0

/** Returns the session and re-renders when it changes in any tab. */
export function useSession(): Session | null {
  return useStore(store)
}

export function getSession(): Session | null {
  return store.get()
}

/** Runs the listener on every log-in, log-out and change of the user. Returns a function that stops it. */
export const onSessionChange = store.subscribe

export function signIn(session: Session): void {
  keep(session)
}

/** Clears the session in this browser. Call `POST /user/auth/logout` first to end it on the server too. */
export function signOut(): void {
  keep(null)
}

/** Changes fields of the logged-in user, such as the balance from a result. Without a session it does nothing. */
export function updateUser(change: Partial<User>): void {
  const session = store.get()
  if (change.balance !== undefined) version += 1
  if (session !== null) keep({ ...session, user: { ...session.user, ...change } })
}

/** Starts a new version of the user's data, for a request that loads the user. */
export function nextUserVersion(): number {
  version += 1
  return version
}

/** Whether no balance has changed and no other request for the user has started since a version started. */
export function isUserVersion(of: number): boolean {
  return version === of
}

function keep(session: Session | null): void {
  writeItem('localStorage', KEY, session === null ? null : JSON.stringify(session))
  if (session === null) writeItem('localStorage', LAST_ORDERS, null)
  store.set(session)
}

function readStored(): Session | null {
  const stored = readJson('localStorage', KEY)
  return isSession(stored) ? stored : null
}

/** Checks the needed fields, so that data of an older release or edited data in storage cannot crash the app. */
function isSession(value: unknown): value is Session {
  if (typeof value !== 'object' || value === null || !('token' in value) || !('user' in value)) return false
  const { token, user } = value
  return typeof token === 'string' && typeof user === 'object' && user !== null && 'ev' in user && 'balance' in user
}

let notifySessionEnd: ((session: Session) => void) | null = null

/** Registers a callback that receives the session ended by another tab, before this tab clears it. */
export function onSessionEndInOtherTab(callback: (session: Session) => void): void {
  notifySessionEnd = callback
}

// Follows a log-in or log-out in another tab. Storage events never fire in the tab that wrote.
globalThis.addEventListener?.('storage', (event) => {
  if (event.key !== KEY && event.key !== null) return
  const before = store.get()
  const now = readStored()
  if (before !== null && now === null) notifySessionEnd?.(before)
  if (before?.user.balance !== now?.user.balance) version += 1
  store.set(now)
})
