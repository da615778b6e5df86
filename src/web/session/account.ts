import { ACCOUNTS, type AccountName } from '#core/accounts/practice.ts'
import { readJson, writeItem } from '#ui/state/browser-storage.ts'
import { createStore, useStore } from '#ui/state/store.ts'
import { getSession, onSessionChange } from '#web/session/session.ts'

/** Session storage, so that a reload keeps the account of the tab and a new tab starts with the live one. */
const KEY = 'account'

/**
 * The account that this tab shows and trades with. Screens, marks and messages all read this store, so an order is
 * always placed in the account that was on screen.
 */
const store = createStore<AccountName>(readStored())

export const getAccount = store.get

/** Runs the listener on each change of the account, before the screen changes. Returns a function that stops it. */
export const onAccountChange = store.subscribe

export function useAccount(): AccountName {
  return useStore(store)
}

export function isPractice(): boolean {
  return store.get() === 'practice'
}

/** Shows another account in this tab. Without a user who may trade, the tab stays with the live account. */
export function chooseAccount(account: AccountName): void {
  const userId = tradingUserId()
  const next = userId === undefined ? 'live' : account
  writeItem('sessionStorage', KEY, next === 'live' ? null : JSON.stringify({ userId, account: next }))
  store.set(next)
}

/** Whether the order form is open as a sheet. A change of the account closes it, and the message about the change says so. */
export const orderSheetIsOpen = createStore(false)

function tradingUserId(): string | undefined {
  const user = getSession()?.user
  return user?.ev && !user.leaving ? user.id : undefined
}

function readStored(): AccountName {
  const stored = readJson('sessionStorage', KEY)
  if (typeof stored !== 'object' || stored === null || !('userId' in stored) || !('account' in stored)) return 'live'
  if (stored.userId !== tradingUserId()) return 'live'
  return ACCOUNTS.find((account) => account === stored.account) ?? 'live'
}

// A log-out, in this tab or in another one, and a log-in of another user lead back to the live account.
onSessionChange(() => {
  if (store.get() !== readStored()) chooseAccount('live')
})

/** Marks the page, so that the style sheet can colour every screen. */
function markPage(): void {
  const root = globalThis.document?.documentElement
  if (root === undefined) return
  if (isPractice()) root.dataset['account'] = 'practice'
  else delete root.dataset['account']
}
markPage()
store.subscribe(markPage)
