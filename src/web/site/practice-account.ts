import type { PracticeOut } from '#contract/practice.ts'
import type { Money } from '#core/money/money.ts'
import { useStore } from '#ui/state/store.ts'
import { call } from '#web/api/call.ts'
import { moneyOf } from '#web/i18n/amounts.ts'
import { useAccount } from '#web/session/account.ts'
import { getSession, useSession } from '#web/session/session.ts'
import { storeOfUser } from '#web/session/store-of-user.ts'
import { useIsDemo } from '#web/site/settings.ts'

/** The user's practice account; null until loaded. */
const store = storeOfUser<PracticeOut | null>(null)
/** Increases with each newer balance, so that a reply that was read before it is noticed. */
let version = 0

export function usePracticeAccount(): PracticeOut | null {
  return useStore(store)
}

/** Whether this user can have a practice account. In a demo everything is practice. */
export function useMayPractice(): boolean {
  const user = useSession()?.user
  return !useIsDemo() && user?.ev === true && !user.leaving
}

let loading: Promise<void> | null = null

/** Loads the practice account. Parallel calls share a request. A failure is silent and keeps the known data. */
export function loadPractice(): Promise<void> {
  loading ??= load()
    .catch(() => undefined)
    .finally(() => {
      loading = null
    })
  return loading
}

/** Opens the practice account. If it is open already, nothing changes. */
export async function openPractice(): Promise<void> {
  await change(async () => (await call('POST /user/practice/open')).data)
}

/** Sets the practice balance back to its start. A repeat with the same id changes nothing. */
export async function resetPractice(requestId: string): Promise<void> {
  await change(async () => (await call('POST /user/practice/reset', { body: { client_request_id: requestId } })).data)
}

/** Takes the balance that came with an order or a result. */
export function setPracticeBalance(balance: number): void {
  version += 1
  const known = store.get()
  if (known !== null) store.set({ ...known, balance })
}

/** Returns the balance of this tab's account. Null until the balance of practice is loaded. */
export function useOwnBalance(): Money | null {
  const live = useSession()?.user.balance ?? 0
  const practice = usePracticeAccount()?.balance
  const account = useAccount()
  if (account === 'live') return moneyOf(live)
  return practice === undefined ? null : moneyOf(practice)
}

async function load(): Promise<void> {
  const [started, token] = [version, getSession()?.token]
  const reply = (await call('GET /user/practice')).data
  // The user may have changed during the request.
  if (token !== getSession()?.token) return
  // If a newer balance arrived during the request, the reply may be outdated.
  if (started === version) store.set(reply)
  else await load()
}

async function change(ask: () => Promise<PracticeOut>): Promise<void> {
  const token = getSession()?.token
  const reply = await ask()
  if (token !== getSession()?.token) return
  version += 1
  store.set(reply)
}
