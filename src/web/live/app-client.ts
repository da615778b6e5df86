import type { AlertMessage, Pong, RealityCheckMessage, TickMessage } from '#contract/live/app-socket.ts'
import type { MarketStatus } from '#contract/markets.ts'
import type { AccountName } from '#core/accounts/practice.ts'
import { ConnectionWatch } from '#web/live/connection-watch.ts'
import type { Connection, TradeStatus } from '#web/live/live-store.ts'
import { readServerMessage, type ServerMessage } from '#web/live/messages.ts'
import { createOrderClient, type OrderClient, type OrderClientDeps } from '#web/live/order-client.ts'
import { openReconnecting, type OpenWire } from '#ui/socket/reconnecting-socket.ts'
import { createResultStore, type OrderResult, type ResultStore, type ResultStoreDeps } from '#web/live/result-store.ts'
import type { ServerClock } from '#web/live/server-clock.ts'

const PING_MS = 10_000
/** 10 s without a message: the connection is closed and a new one is opened. */
const SILENCE_MS = 10_000
/** 2.5 s without a message: the user sees a warning, although the connection may recover. */
const WARN_AFTER_MS = 2_500
/** Interval of the silence check. */
const LISTEN_MS = 250

export interface AppClientDeps {
  address: () => string
  open: OpenWire
  token: () => string | null
  now: () => number
  clock: ServerClock
  onTicks: (ticks: readonly TickMessage[]) => void
  /** `lastMessageAt` is the time of the server's last message, by this device's clock. */
  onConnection: (state: Connection, lastMessageAt: number) => void
  onTradeStatus: (status: TradeStatus) => void
  onMarketStatus: (status: MarketStatus) => void
  /** The account that this tab shows. */
  account?: () => AccountName
  /**
   * A result of the user's other account has arrived. This tab neither shows nor confirms the result, so the server
   * sends it again when a tab with that account subscribes.
   */
  onOtherResult?: (result: OrderResult) => void
  /** The balance has changed by something other than an order. */
  onBalanceChanged: () => void
  /** The user's own limits or break have changed. */
  onLimitsChanged: () => void
  /** The user must answer a reality check before the next order. */
  onRealityCheck?: (check: RealityCheckMessage['data']) => void
  onNewDevice?: (device: string) => void
  /** There is a new notice in the inbox. */
  onNotice?: () => void
  /** A price alert of the user has fired. */
  onAlert?: (fired: AlertMessage['data']) => void
  /** Markets, symbols or payouts have changed. */
  onMarketsChanged?: () => void
  /** The connection is back after a loss. All data that the server does not push must be reloaded. */
  onResync: () => void
  orders: Omit<OrderClientDeps, 'send' | 'now'>
  results: Omit<ResultStoreDeps, 'sendSeen'>
  pingMs?: number
  silenceMs?: number
  warnAfterMs?: number
  backOffMs?: readonly number[]
}

/**
 * Creates the page's only app socket. It subscribes, sends pings, passes each message to its receiver, and reconnects
 * after a loss.
 */
export function createAppClient(deps: AppClientDeps) {
  const { token, now, clock, pingMs = PING_MS, silenceMs = SILENCE_MS, warnAfterMs = WARN_AFTER_MS, backOffMs } = deps
  let pingSentAt: number | null = null

  const orders = createOrderClient({
    ...deps.orders,
    now,
    send: (message) => socket.send({ ...message, token: token() }),
  })
  const results = createResultStore({
    ...deps.results,
    sendSeen: (ids) => socket.send({ action: 'seen', ids }),
  })
  const watch = new ConnectionWatch({ now, ping, warnAfterMs, onConnection: deps.onConnection })

  function ping(): void {
    watch.notePing()
    // An overdue pong may answer an earlier ping, so only the first ping is timed.
    pingSentAt ??= now()
    socket.send({ action: 'ping', token: token() })
  }

  function subscribe(): void {
    socket.send({ action: 'subscribe', token: token() })
    ping()
  }

  function onPong({ data, pingMarketStatus }: Pong): void {
    if (pingSentAt !== null) clock.measure({ sentAt: pingSentAt, receivedAt: now(), serverTime: data.serverTime })
    pingSentAt = null
    deps.onTradeStatus({ isAllowed: data.tradeStatus === 1, reason: data.tradeReason })
    deps.onMarketStatus(pingMarketStatus)
  }

  const receivers: Receivers = { ...deps, orders, results, onPong }
  const socket = openReconnecting({
    address: deps.address,
    open: deps.open,
    silenceMs,
    ...(backOffMs && { backOffMs }),
    onMessage: (text) => {
      watch.noteMessage()
      const message = readServerMessage(text)
      if (message !== null) dispatch(message, receivers)
    },
    onOpen: () => {
      pingSentAt = null
      const isBack = watch.noteOpen()
      subscribe()
      orders.connected()
      if (isBack) deps.onResync()
    },
    onLost: () => watch.noteLoss(),
  })
  const timers = [setInterval(ping, pingMs), setInterval(() => watch.check(), LISTEN_MS)]

  return {
    orders,
    results,
    /** Subscribes again after a change of the account, so that the server sends the results that were not shown. */
    accountChanged: subscribe,
    /** Subscribes again after a log-in or log-out, so that the server knows whose results to send. */
    tokenChanged: () => {
      subscribe()
      orders.userChanged()
    },
    retryNow: socket.retryNow,
    /** The device reports that its network is gone. */
    networkLost: () => watch.warn(),
    close: () => {
      for (const timer of timers) clearInterval(timer)
      orders.close()
      socket.close()
    },
  }
}

export type AppClient = ReturnType<typeof createAppClient>

interface Receivers
  extends Pick<
    AppClientDeps,
    | 'onTicks'
    | 'onMarketStatus'
    | 'account'
    | 'onOtherResult'
    | 'onBalanceChanged'
    | 'onLimitsChanged'
    | 'onRealityCheck'
    | 'onNewDevice'
    | 'onNotice'
    | 'onAlert'
    | 'onMarketsChanged'
  > {
  readonly orders: OrderClient
  readonly results: ResultStore
  readonly onPong: (pong: Pong) => void
}

/** Passes a message of the server to its receiver. */
function dispatch(message: ServerMessage, to: Receivers): void {
  switch (message.kind) {
    case 'ticks':
      return to.onTicks(message.ticks)
    case 'pong':
      return to.onPong(message.pong)
    case 'accepted':
      return to.orders.accepted(message.accepted)
    case 'refused':
      return to.orders.refused(message.refused)
    case 'result':
      return takeResult(message.result.data, to)
    case 'balance':
      return to.onBalanceChanged()
    case 'limits':
      return to.onLimitsChanged()
    case 'realityCheck':
      return to.onRealityCheck?.(message.check)
    case 'notice':
      return to.onNotice?.()
    case 'alert':
      return to.onAlert?.(message.fired)
    case 'newDevice':
      return to.onNewDevice?.(message.device)
    case 'markets':
      to.onMarketStatus(message.changed.pingMarketStatus)
      return to.onMarketsChanged?.()
    // An error means that the server did not understand a message: a bug of the client that the user cannot fix.
    case 'error':
  }
}

function takeResult(result: OrderResult, { account, results, onOtherResult }: Receivers): void {
  const isOwn = (result.account === 'practice') === (account?.() === 'practice')
  if (isOwn) results.take(result)
  else onOtherResult?.(result)
}
