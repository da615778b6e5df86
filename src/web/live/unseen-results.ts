import { useMemo } from 'react'
import type { AccountName } from '#core/accounts/practice.ts'
import type { OrderResult } from '#web/live/result-store.ts'
import { useAccount } from '#web/session/account.ts'
import { getSession, onSessionChange, useSession } from '#web/session/session.ts'
import { readJson, writeItem } from '#ui/state/browser-storage.ts'
import { createStore, useStore } from '#ui/state/store.ts'

const KEY = 'unseen_results'
/** The maximum number of results in storage. The history has all results. */
const MAX_RESULTS = 20

interface Unseen {
  readonly userId: string
  readonly result: OrderResult
}

const store = createStore<readonly Unseen[]>(readStored())

/** Keeps a result until the user has seen it, across reloads and tabs of this browser. */
export function keepUnseen(result: OrderResult): void {
  const userId = getSession()?.user.id
  if (userId !== undefined) keep([{ userId, result }, ...without(result.id)].slice(0, MAX_RESULTS))
}

/** Removes a result from the stored ones, because the user has opened it. `order` is the order's id or reference. */
export function markSeen(order: string): void {
  const left = without(order)
  if (left.length < store.get().length) keep(left)
}

/** Returns the results of this tab's account that the user has not seen yet, newest first. */
export function useUnseenResults(): readonly OrderResult[] {
  const userId = useSession()?.user.id
  const account = useAccount()
  const all = useStore(store)
  return useMemo(
    () => all.filter((one) => one.userId === userId && accountOf(one) === account).map(({ result }) => result),
    [all, userId, account],
  )
}

/** Results that an earlier version stored name no account; they are live results. */
function accountOf({ result }: Unseen): AccountName {
  return result.account === 'practice' ? 'practice' : 'live'
}

function without(order: string): readonly Unseen[] {
  return store.get().filter(({ result }) => result.id !== order && result.trx !== order)
}

function keep(next: readonly Unseen[]): void {
  writeItem('localStorage', KEY, next.length === 0 ? null : JSON.stringify(next))
  store.set(next)
}

function readStored(): readonly Unseen[] {
  const stored = readJson('localStorage', KEY)
  return Array.isArray(stored) ? stored.filter(isUnseen) : []
}

/** Checks the fields that a row needs, because the storage may hold data of an older release or edited data. */
function isUnseen(value: unknown): value is Unseen {
  if (typeof value !== 'object' || value === null || !('userId' in value) || !('result' in value)) return false
  const { result } = value
  return typeof result === 'object' && result !== null && 'id' in result && 'trx' in result && 'crypto' in result
}

// A log-out clears the results, so that the next user of this browser does not see them.
onSessionChange(() => {
  if (getSession() === null && store.get().length > 0) keep([])
})
globalThis.addEventListener?.('storage', (event) => {
  if (event.key === KEY || event.key === null) store.set(readStored())
})
