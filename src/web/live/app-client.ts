import type { TickMessage } from '#contract/live/app-socket.ts'
import type { MarketStatus } from '#contract/markets.ts'
import { type Connection, type TradeStatus } from '#web/live/live-store.ts'
import { readServerMessage } from '#web/live/messages.ts'
import { createOrderDesk, type OrderDeskDoors } from '#web/live/order-desk.ts'
import { openReconnecting, type OpenWire } from '#ui/socket/reconnecting-socket.ts'
import { createResultBook, type ResultBookDoors } from '#web/live/result-book.ts'
import type { ServerClock } from '#web/live/server-clock.ts'

const PING_MS = 10_000
/** 10 s without a message: the connection is closed and a new one is opened. */
const SILENCE_MS = 10_000
/** 1 s without a message: the client sends a ping. Prices alone nearly always arrive sooner. */
const QUIET_MS = 1_000
/** 2.5 s without a message: the user sees a warning, although the connection may recover. */
const UNHEARD_MS = 2_500
/** Interval of the silence check. */
const LISTEN_MS = 250

export interface AppClientDoors {
  address: () => string
  open: OpenWire
  token: () => string | null
  now: () => number
  clock: ServerClock
  onTicks: (ticks: readonly TickMessage[]) => void
  /** `heardAt` is the time of the server's last message, by this device's clock. */
  onConnection: (state: Connection, heardAt: number) => void
  onTradeStatus: (status: TradeStatus) => void
  onMarketStatus: (status: MarketStatus) => void
  /** The balance has changed by something other than an order. */
  onBalanceChanged: () => void
  onNewDevice?: (device: string) => void
  /** Markets, symbols or payouts have changed. */
  onMarketsChanged?: () => void
  /** The connection is back after a loss. All data that the server does not push must be reloaded. */
  onResync: () => void
  orders: Omit<OrderDeskDoors, 'send' | 'now'>
  results: Omit<ResultBookDoors, 'sendSeen'>
  pingMs?: number
  silenceMs?: number
  unheardMs?: number
  backOffMs?: readonly number[]
}

/**
 * Creates the page's only app socket. It subscribes, sends pings, passes each message to its receiver, and reconnects
 * after a loss.
 */
export function createAppClient(doors: AppClientDoors) {
  const { token, now, clock, pingMs = PING_MS, silenceMs = SILENCE_MS, unheardMs = UNHEARD_MS, backOffMs } = doors
  let pingSentAt: number | null = null
  let askedAt = now()
  let heardAt = now()
  let isUnheard = false
  let wasConnected = false

  const desk = createOrderDesk({
    ...doors.orders,
    now,
    send: (message) => socket.send({ ...message, token: token() }),
  })
  const results = createResultBook({
    ...doors.results,
    sendSeen: (ids) => socket.send({ action: 'seen', ids }),
  })

  function ping(): void {
    askedAt = now()
    // An overdue pong may answer an earlier ping, so only the first ping is timed.
    pingSentAt ??= askedAt
    socket.send({ action: 'ping', token: token() })
  }

  /** Detects silence. A lost network sends no event, and users must not trade on frozen prices. */
  function listen(): void {
    const at = now()
    if (at - heardAt >= QUIET_MS && at - askedAt >= QUIET_MS) ping()
    if (isUnheard || at - heardAt < unheardMs) return
    isUnheard = true
    doors.onConnection('offline', heardAt)
  }

  function heard(): void {
    heardAt = now()
    if (!isUnheard) return
    isUnheard = false
    doors.onConnection('connected', heardAt)
  }

  function subscribe(): void {
    socket.send({ action: 'subscribe', token: token() })
    ping()
  }

  function read(text: string): void {
    heard()
    const message = readServerMessage(text)
    switch (message?.kind) {
      case 'ticks':
        doors.onTicks(message.ticks)
        break
      case 'pong': {
        const { data, pingMarketStatus } = message.pong
        if (pingSentAt !== null) clock.measure({ sentAt: pingSentAt, receivedAt: now(), serverTime: data.serverTime })
        pingSentAt = null
        doors.onTradeStatus({ isAllowed: data.tradeStatus === 1, reason: data.tradeReason })
        doors.onMarketStatus(pingMarketStatus)
        break
      }
      case 'accepted':
        desk.accepted(message.accepted)
        break
      case 'refused':
        desk.refused(message.refused)
        break
      case 'result':
        results.take(message.result.data)
        break
      case 'balance':
        doors.onBalanceChanged()
        break
      case 'newDevice':
        doors.onNewDevice?.(message.device)
        break
      case 'markets':
        doors.onMarketStatus(message.changed.pingMarketStatus)
        doors.onMarketsChanged?.()
        break
      // An error means that the server did not understand a message: a bug of the client that the user cannot fix.
      case 'error':
      case undefined:
        break
    }
  }

  const socket = openReconnecting({
    address: doors.address,
    open: doors.open,
    silenceMs,
    ...(backOffMs && { backOffMs }),
    onMessage: read,
    onOpen: () => {
      pingSentAt = null
      heardAt = now()
      isUnheard = false
      doors.onConnection('connected', heardAt)
      subscribe()
      desk.connected()
      if (wasConnected) doors.onResync()
      wasConnected = true
    },
    onLost: () => doors.onConnection(wasConnected || isUnheard ? 'offline' : 'connecting', heardAt),
  })
  const pings = setInterval(ping, pingMs)
  const listening = setInterval(listen, LISTEN_MS)

  return {
    desk,
    results,
    /** Subscribes again after a log-in or log-out, so that the server knows whose results to send. */
    tokenChanged: subscribe,
    retryNow: socket.retryNow,
    /** The device reports that its network is gone. */
    networkLost: () => {
      isUnheard = true
      doors.onConnection('offline', heardAt)
    },
    close: () => {
      clearInterval(pings)
      clearInterval(listening)
      desk.close()
      socket.close()
    },
  }
}

export type AppClient = ReturnType<typeof createAppClient>
