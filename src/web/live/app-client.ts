import type { TickMessage } from '#contract/live/app-socket.ts'
import type { MarketStatus } from '#contract/markets.ts'
import { type Connection, type TradeStatus } from '#web/live/live-store.ts'
import { readServerMessage } from '#web/live/messages.ts'
import { createOrderClient, type OrderClientDeps } from '#web/live/order-client.ts'
import { openReconnecting, type OpenWire } from '#ui/socket/reconnecting-socket.ts'
import { createResultStore, type ResultStoreDeps } from '#web/live/result-store.ts'
import type { ServerClock } from '#web/live/server-clock.ts'

const PING_MS = 10_000
/** 10 s without a message: the connection is closed and a new one is opened. */
const SILENCE_MS = 10_000
/** 1 s without a message: the client sends a ping. Prices alone nearly always arrive sooner. */
const QUIET_MS = 1_000
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
  /** `heardAt` is the time of the server's last message, by this device's clock. */
  onConnection: (state: Connection, lastMessageAt: number) => void
  onTradeStatus: (status: TradeStatus) => void
  onMarketStatus: (status: MarketStatus) => void
  /** The balance has changed by something other than an order. */
  onBalanceChanged: () => void
  onNewDevice?: (device: string) => void
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
  let lastPingAt = now()
  let lastMessageAt = now()
  let isSilent = false
  let wasConnected = false

  const orders = createOrderClient({
    ...deps.orders,
    now,
    send: (message) => socket.send({ ...message, token: token() }),
  })
  const results = createResultStore({
    ...deps.results,
    sendSeen: (ids) => socket.send({ action: 'seen', ids }),
  })

  function ping(): void {
    lastPingAt = now()
    // An overdue pong may answer an earlier ping, so only the first ping is timed.
    pingSentAt ??= lastPingAt
    socket.send({ action: 'ping', token: token() })
  }

  /** Detects silence. A lost network sends no event, and users must not trade on frozen prices. */
  function listen(): void {
    const at = now()
    if (at - lastMessageAt >= QUIET_MS && at - lastPingAt >= QUIET_MS) ping()
    if (isSilent || at - lastMessageAt < warnAfterMs) return
    isSilent = true
    deps.onConnection('offline', lastMessageAt)
  }

  function noteMessage(): void {
    lastMessageAt = now()
    if (!isSilent) return
    isSilent = false
    deps.onConnection('connected', lastMessageAt)
  }

  function subscribe(): void {
    socket.send({ action: 'subscribe', token: token() })
    ping()
  }

  function read(text: string): void {
    noteMessage()
    const message = readServerMessage(text)
    switch (message?.kind) {
      case 'ticks':
        deps.onTicks(message.ticks)
        break
      case 'pong': {
        const { data, pingMarketStatus } = message.pong
        if (pingSentAt !== null) clock.measure({ sentAt: pingSentAt, receivedAt: now(), serverTime: data.serverTime })
        pingSentAt = null
        deps.onTradeStatus({ isAllowed: data.tradeStatus === 1, reason: data.tradeReason })
        deps.onMarketStatus(pingMarketStatus)
        break
      }
      case 'accepted':
        orders.accepted(message.accepted)
        break
      case 'refused':
        orders.refused(message.refused)
        break
      case 'result':
        results.take(message.result.data)
        break
      case 'balance':
        deps.onBalanceChanged()
        break
      case 'newDevice':
        deps.onNewDevice?.(message.device)
        break
      case 'markets':
        deps.onMarketStatus(message.changed.pingMarketStatus)
        deps.onMarketsChanged?.()
        break
      // An error means that the server did not understand a message: a bug of the client that the user cannot fix.
      case 'error':
      case undefined:
        break
    }
  }

  const socket = openReconnecting({
    address: deps.address,
    open: deps.open,
    silenceMs,
    ...(backOffMs && { backOffMs }),
    onMessage: read,
    onOpen: () => {
      pingSentAt = null
      lastMessageAt = now()
      isSilent = false
      deps.onConnection('connected', lastMessageAt)
      subscribe()
      orders.connected()
      if (wasConnected) deps.onResync()
      wasConnected = true
    },
    onLost: () => deps.onConnection(wasConnected || isSilent ? 'offline' : 'connecting', lastMessageAt),
  })
  const pings = setInterval(ping, pingMs)
  const listening = setInterval(listen, LISTEN_MS)

  return {
    orders,
    results,
    /** Subscribes again after a log-in or log-out, so that the server knows whose results to send. */
    tokenChanged: subscribe,
    retryNow: socket.retryNow,
    /** The device reports that its network is gone. */
    networkLost: () => {
      isSilent = true
      deps.onConnection('offline', lastMessageAt)
    },
    close: () => {
      clearInterval(pings)
      clearInterval(listening)
      orders.close()
      socket.close()
    },
  }
}

export type AppClient = ReturnType<typeof createAppClient>
