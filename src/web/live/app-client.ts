import type { TickMessage } from '#contract/live/app-socket.ts'
import type { MarketStatus } from '#contract/markets.ts'
import { type Connection, type TradeStatus } from '#web/live/live-store.ts'
import { readServerMessage } from '#web/live/messages.ts'
import { createOrderDesk, type OrderDeskDoors } from '#web/live/order-desk.ts'
import { openReconnecting, type OpenWire } from '#ui/socket/reconnecting-socket.ts'
import { createResultBook, type ResultBookDoors } from '#web/live/result-book.ts'
import type { ServerClock } from '#web/live/server-clock.ts'

const PING_MS = 10_000
/** A connection on which nothing comes for so long is given up and made anew. */
const SILENCE_MS = 10_000
/** When nothing has come for so long the server is asked for a word; prices alone nearly always come sooner. */
const QUIET_MS = 1_000
/** When nothing has come for so long the user is told, while the connection may still come back to life. */
const UNHEARD_MS = 2_500
/** How often that is looked at. */
const LISTEN_MS = 250

export interface AppClientDoors {
  address: () => string
  open: OpenWire
  token: () => string | null
  now: () => number
  clock: ServerClock
  onTicks: (ticks: readonly TickMessage[]) => void
  /** With the last moment at which the server was heard, by this device's clock. */
  onConnection: (state: Connection, heardAt: number) => void
  onTradeStatus: (status: TradeStatus) => void
  onMarketStatus: (status: MarketStatus) => void
  /** Money has moved other than by an order. */
  onBalanceChanged: () => void
  onNewDevice?: (device: string) => void
  /** Markets, symbols or payouts are not what they were. */
  onMarketsChanged?: () => void
  /** Connected again after a loss: whatever is not pushed has to be asked for. */
  onResync: () => void
  orders: Omit<OrderDeskDoors, 'send' | 'now'>
  results: Omit<ResultBookDoors, 'sendSeen'>
  pingMs?: number
  silenceMs?: number
  unheardMs?: number
  backOffMs?: readonly number[]
}

/** The one app socket of the page: subscribes, pings, hands what comes to whom it concerns, and starts over when lost. */
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
    // An answer that is overdue could be to the one before: only the first is measured.
    pingSentAt ??= askedAt
    socket.send({ action: 'ping', token: token() })
  }

  /** A network that is gone says nothing: the user must not trade on prices that stand still. */
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
      // An error says that something we sent was not understood: a bug of ours that the user can do nothing about.
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
    /** Signed in or out: the server must know whose results to send. */
    tokenChanged: subscribe,
    retryNow: socket.retryNow,
    /** The device itself says that its network is gone. */
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
