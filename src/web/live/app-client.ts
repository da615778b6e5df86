import type { TickMessage } from '#contract/live/app-socket.ts'
import type { MarketStatus } from '#contract/markets.ts'
import { type Connection, type TradeStatus } from '#web/live/live-store.ts'
import { readServerMessage } from '#web/live/messages.ts'
import { createOrderDesk, type OrderDeskDoors } from '#web/live/order-desk.ts'
import { openReconnecting, type OpenWire } from '#ui/socket/reconnecting-socket.ts'
import { createResultBook, type ResultBookDoors } from '#web/live/result-book.ts'
import type { ServerClock } from '#web/live/server-clock.ts'

const PING_MS = 10_000
const SILENCE_MS = 25_000

export interface AppClientDoors {
  address: () => string
  open: OpenWire
  token: () => string | null
  now: () => number
  clock: ServerClock
  onTicks: (ticks: readonly TickMessage[]) => void
  onConnection: (state: Connection) => void
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
  backOffMs?: readonly number[]
}

/** The one app socket of the page: subscribes, pings, hands what comes to whom it concerns, and starts over when lost. */
export function createAppClient(doors: AppClientDoors) {
  const { token, now, clock, pingMs = PING_MS, silenceMs = SILENCE_MS, backOffMs } = doors
  let pingSentAt: number | null = null
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
    pingSentAt = now()
    socket.send({ action: 'ping', token: token() })
  }

  function subscribe(): void {
    socket.send({ action: 'subscribe', token: token() })
    ping()
  }

  function read(text: string): void {
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
      doors.onConnection('connected')
      subscribe()
      desk.connected()
      if (wasConnected) doors.onResync()
      wasConnected = true
    },
    onLost: () => doors.onConnection(wasConnected ? 'offline' : 'connecting'),
  })
  const pings = setInterval(ping, pingMs)

  return {
    desk,
    results,
    /** Signed in or out: the server must know whose results to send. */
    tokenChanged: subscribe,
    retryNow: socket.retryNow,
    close: () => {
      clearInterval(pings)
      desk.close()
      socket.close()
    },
  }
}

export type AppClient = ReturnType<typeof createAppClient>
