import { useMemo, useSyncExternalStore } from 'react'
import type { AccountName } from '#core/accounts/practice.ts'
import { call } from '#web/api/call.ts'
import { currentLanguage } from '#web/i18n/language.ts'
import { createAppClient } from '#web/live/app-client.ts'
import { newId } from '#ui/new-id.ts'
import { onWakeUp, openBrowserWire, socketAddress } from '#ui/socket/browser-wire.ts'
import { isConnected, setConnection, setMarketStatus, setTradeStatus } from '#web/live/live-store.ts'
import type { Placement } from '#web/live/placed-order.ts'
import type { OrderRequest, PendingOrder } from '#web/live/pending-orders.ts'
import type { OrderResult } from '#web/live/result-store.ts'
import { createServerClock } from '#web/live/server-clock.ts'
import { orderToRepeat } from '#web/live/order-to-repeat.ts'
import { createTickFeed, setAgeLimits } from '#web/live/tick-feed.ts'
import { noteRefusal } from '#web/live/unseen-refusals.ts'
import { signalOrder } from '#web/options/order-signal.ts'
import { getAccount, onAccountChange, useAccount } from '#web/session/account.ts'
import { tellBalanceChange } from '#web/session/balance-changes.ts'
import { loadPractice, setPracticeBalance } from '#web/site/practice-account.ts'
import { refreshUser } from '#web/site/refresh-user.ts'
import { getSession, onSessionChange, updateUser, useSession } from '#web/session/session.ts'
import { serverNowMs } from '#web/site/settings.ts'
import { readJson, writeItem } from '#ui/state/browser-storage.ts'
import { setRealityCheck } from '#web/session/reality-check.ts'
import { tellNewDevice } from '#web/session/new-devices.ts'
import { tellFiredAlert } from '#web/session/fired-alerts.ts'
import { tellNewNotice } from '#web/session/new-notices.ts'
import { useStore } from '#ui/state/store.ts'

const PENDING = 'pending_orders'
const ANNOUNCED = 'announced_results'

const clock = createServerClock()
const resyncListeners = new Set<() => void>()
const marketListeners = new Set<() => void>()
/** 1.5 s: the server notifies all clients at once, so their requests are spread over this time. */
const ASK_WITHIN_MS = 1_500

/** Returns a function that runs `work` once within `ASK_WITHIN_MS`, however often it is called until then. */
function spread(work: () => void): () => void {
  let isScheduled = false
  return () => {
    if (isScheduled) return
    isScheduled = true
    setTimeout(() => {
      isScheduled = false
      work()
    }, Math.random() * ASK_WITHIN_MS)
  }
}

/** Schedules a reload of the market list for the components that show it. */
export const askMarketsAgain = spread(() => {
  for (const listener of marketListeners) listener()
})

/**
 * Schedules a reload of what the server pushes only once: the messages that it sent while the connection was lost never
 * arrive.
 */
const askAccountAgain = spread(() => {
  if (getSession() === null) return
  reloadUser()
  tellNewNotice()
})

const feed = createTickFeed(serverNow, (draw) => requestAnimationFrame(draw))

/** Takes the maximum price ages of the market list. */
export function noteAgeLimits(symbols: Parameters<typeof setAgeLimits>[0]): void {
  setAgeLimits(symbols)
  if (isConnected()) feed.revive()
}

/** Returns the server's time in milliseconds UTC. Countdowns use it. */
export function serverNow(): number {
  const offset = clock.offsetMs()
  return offset === null ? serverNowMs() : Date.now() + offset
}

/** Stores the balance of an account. */
function setBalance(account: AccountName, balance: number): void {
  if (account === 'practice') setPracticeBalance(balance)
  else updateUser({ balance })
}

function askBalance(account: AccountName): void {
  void (account === 'practice' ? loadPractice() : refreshUser())
}

/**
 * Takes the balance after a result. If the result is delivered late, this balance is outdated, so the account is
 * reloaded too.
 */
function takeBalance(account: AccountName, balance: number): void {
  setBalance(account, balance)
  askBalance(account)
}

function reloadUser(): void {
  void refreshUser()
  tellBalanceChange()
}

/** Returns the session's token for the sockets; null for a blocked user, who may not trade. */
function tradingToken(): string | null {
  const session = getSession()
  return session === null || session.user.leaving ? null : session.token
}

const client = createAppClient({
  address: () => `${socketAddress('/ws/app')}?lang=${currentLanguage().code}`,
  open: openBrowserWire,
  token: tradingToken,
  now: Date.now,
  clock,
  onTicks: feed.take,
  onConnection: (state, lastMessageAt) => {
    setConnection(state, lastMessageAt + (clock.offsetMs() ?? 0))
    if (state === 'connected') feed.revive()
  },
  onTradeStatus: setTradeStatus,
  onMarketStatus: setMarketStatus,
  account: getAccount,
  onOtherResult: ({ account, user_balance: balance }) => takeBalance(account, balance),
  onBalanceChanged: reloadUser,
  // The break is part of the user's data, so the user is reloaded. The limits are loaded again together with the
  // balance.
  onLimitsChanged: () => {
    // If a reality check is still due, the server sends it again.
    setRealityCheck(null)
    reloadUser()
  },
  onRealityCheck: setRealityCheck,
  onNewDevice: tellNewDevice,
  onNotice: () => {
    void refreshUser()
    tellNewNotice()
  },
  onAlert: tellFiredAlert,
  onMarketsChanged: askMarketsAgain,
  onResync: () => {
    // If a reality check is still due, the server sends it again.
    setRealityCheck(null)
    askAccountAgain()
    for (const listener of resyncListeners) listener()
  },
  orders: {
    serverNow,
    userId: () => getSession()?.user.id ?? null,
    askRecent: async (account) => (await call('GET /user/trade-log/recent', { query: { account } })).data.trades,
    newId,
    load: () => readJson('sessionStorage', PENDING),
    save: (pending) => writeItem('sessionStorage', PENDING, pending.length === 0 ? null : JSON.stringify(pending)),
  },
  results: {
    loadAnnounced: () => readJson('localStorage', ANNOUNCED),
    saveAnnounced: (ids) => writeItem('localStorage', ANNOUNCED, JSON.stringify(ids)),
  },
})

feed.watchAge()
onWakeUp(client.retryNow)
globalThis.addEventListener('offline', client.networkLost)
let token = tradingToken()
onSessionChange(() => {
  const next = tradingToken()
  if (next === token) return
  token = next
  setTradeStatus(null)
  client.tokenChanged()
})
onAccountChange(() => {
  // The terms of an order of one account are not filled in for the other.
  orderToRepeat.set(null)
  client.accountChanged()
  if (getSession() !== null) askBalance(getAccount())
})
client.orders.onAnswer((_, placement, order) => {
  if (order !== undefined) noteRefusal(placement, order)
  if (placement.kind !== 'accepted') return
  signalOrder('accepted')
  if (placement.balance === null) askBalance(placement.account)
  else setBalance(placement.account, placement.balance)
})
client.results.onResult((result) => {
  signalOrder('ended')
  takeBalance(result.account, result.user_balance)
})

/** Sends an order and resolves when the server replies. See `OrderClient`. */
export function placeOrder(request: OrderRequest, clientOrderId = newId()): Promise<Placement> {
  return client.orders.place(request, clientOrderId)
}

/** Cancels an order that waits for the connection. */
export const cancelOrder = client.orders.cancel

/** Replies to orders, including those sent before this page load. */
export const onPlacement = client.orders.onAnswer

/** Returns the orders of this tab's account without a reply yet, also orders that still wait for the connection. */
export function usePendingOrders(): readonly PendingOrder[] {
  const all = useStore(client.orders.pending)
  const userId = useSession()?.user.id
  const account = useAccount()
  return useMemo(
    () => all.filter((order) => order.userId === userId && (order.request.account ?? 'live') === account),
    [all, userId, account],
  )
}

/** Runs the listener once for each settled order. Returns a function that stops it. */
export const onResult = client.results.onResult

/** Returns the result of an order if it arrived within this page load. */
export function getResult(id: string): OrderResult | null {
  return client.results.get(id)
}

/** Returns the result of an order and re-renders when it arrives. */
export function useResult(id: string): OrderResult | null {
  return useSyncExternalStore(onResult, () => client.results.get(id))
}

/** True for the first caller in all tabs of this browser, which then announces the result. */
export const claimResult = client.results.claim

/** Runs the listener when the market list must be reloaded. Returns a function that stops it. */
export function onMarketsChange(listener: () => void): () => void {
  marketListeners.add(listener)
  return () => marketListeners.delete(listener)
}

/** Runs the listener after each reconnect: all data that the server does not push must be reloaded. */
export function onResync(listener: () => void): () => void {
  resyncListeners.add(listener)
  return () => resyncListeners.delete(listener)
}
