import type { NewTradeAccepted, NewTradeRefused } from '#contract/live/app-socket.ts'
import type { OwnTrade } from '#contract/trades.ts'
import { fromAccepted, fromOwnTrade, type PlacedOrder } from '#web/live/placed-order.ts'
import { createStore, type Store } from '#ui/state/store.ts'

/** What the user asks for. Amounts as plain decimal text, so that nothing is lost on the way. */
export interface OrderRequest {
  readonly type: 'buy' | 'sell'
  readonly tradeSettingId: number
  readonly amount: string
  readonly symbol: string
  readonly marketType: string
  /** The terms that were on the screen: the server refuses rather than to take the order on others. */
  readonly profitPercentage?: number
  readonly time?: number
}

export type Placement =
  | { readonly kind: 'accepted'; readonly order: PlacedOrder; readonly balance: number | null }
  /** `message` is the server's own, in the user's language; empty for `not_taken`, which nobody told us. */
  | { readonly kind: 'refused'; readonly code: string; readonly message: string }

/** An order that was sent and not answered yet. */
export interface PendingOrder {
  readonly clientOrderId: string
  readonly userId: string
  readonly request: OrderRequest
  /** This device's clock. */
  readonly startedAt: number
  /** Sending it again could open it later than the user meant, so the server is asked instead. */
  readonly isOverdue: boolean
}

export interface OrderDeskDoors {
  /** Sends over the socket; false when there is no connection. The token is added there. */
  send: (message: { action: 'newTrade'; data: OrderRequest & { clientOrderId: string } }) => boolean
  userId: () => string | null
  /** The own orders, newest first. */
  askRecent: () => Promise<readonly OwnTrade[]>
  newId: () => string
  now: () => number
  /** Survives a reload of this tab, so that an order cannot get lost or be placed twice by one. */
  load: () => unknown
  save: (pending: readonly PendingOrder[]) => void
  /** How long an unanswered order is sent again after a reconnect. */
  resendForMs?: number
  askEveryMs?: number
}

export interface OrderDesk {
  /** Answers when the server has; that may be after a reconnect. The same order is never opened twice. */
  place: (request: OrderRequest) => Promise<Placement>
  pending: Store<readonly PendingOrder[]>
  onAnswer: (listener: (clientOrderId: string, placement: Placement) => void) => () => void
  accepted: (message: NewTradeAccepted) => void
  refused: (message: NewTradeRefused) => void
  /** The socket is open and subscribed (again): what is unanswered is sent again under its old id. */
  connected: () => void
  close: () => void
}

/** Times an order must be missing from the list before it counts as never taken. */
const MISSING_TIMES = 2

/** Places orders, each exactly once whatever the network does. */
export function createOrderDesk(doors: OrderDeskDoors): OrderDesk {
  const { resendForMs = 15_000, askEveryMs = 5_000 } = doors
  const pending = createStore<readonly PendingOrder[]>(readPending(doors.load()))
  const listeners = new Set<(clientOrderId: string, placement: Placement) => void>()
  const missing = new Map<string, number>()
  let timer: ReturnType<typeof setInterval> | undefined

  function keep(next: readonly PendingOrder[]): void {
    pending.set(next)
    doors.save(next)
    if (next.length === 0) {
      clearInterval(timer)
      timer = undefined
    } else timer ??= setInterval(lookAfter, Math.min(askEveryMs, resendForMs))
  }

  function send({ clientOrderId, request, userId }: PendingOrder): void {
    if (userId === doors.userId()) doors.send({ action: 'newTrade', data: { ...request, clientOrderId } })
  }

  function answer(clientOrderId: string, placement: Placement): void {
    missing.delete(clientOrderId)
    keep(pending.get().filter((order) => order.clientOrderId !== clientOrderId))
    for (const listener of listeners) listener(clientOrderId, placement)
  }

  function lookAfter(): void {
    const now = doors.now()
    const isLate = (order: PendingOrder) => !order.isOverdue && now - order.startedAt >= resendForMs
    if (pending.get().some(isLate)) {
      keep(pending.get().map((order) => (isLate(order) ? { ...order, isOverdue: true } : order)))
    }
    if (pending.get().some((order) => order.isOverdue)) void ask()
  }

  async function ask(): Promise<void> {
    let trades: readonly OwnTrade[]
    try {
      trades = await doors.askRecent()
    } catch {
      return // No network, no answer: it is asked again, and the screen says that we are waiting.
    }
    for (const { clientOrderId, isOverdue, userId } of pending.get()) {
      if (!isOverdue || userId !== doors.userId()) continue
      const found = trades.find((trade) => trade.clientOrderId === clientOrderId)
      if (found) {
        answer(clientOrderId, { kind: 'accepted', order: fromOwnTrade(found), balance: null })
        continue
      }
      const times = (missing.get(clientOrderId) ?? 0) + 1
      missing.set(clientOrderId, times)
      if (times >= MISSING_TIMES) answer(clientOrderId, { kind: 'refused', code: 'not_taken', message: '' })
    }
  }

  keep(pending.get())
  return {
    pending,
    onAnswer: (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    place: (request) => {
      const clientOrderId = doors.newId()
      const order = { clientOrderId, userId: doors.userId() ?? '', request, startedAt: doors.now(), isOverdue: false }
      return new Promise((resolve) => {
        const listener = (id: string, placement: Placement) => {
          if (id !== clientOrderId) return
          listeners.delete(listener)
          resolve(placement)
        }
        listeners.add(listener)
        // Kept before it is sent: whatever happens from here on, its id is known.
        keep([...pending.get(), order])
        send(order)
      })
    },
    accepted: (message) => {
      const { clientOrderId, user_balance } = message.data
      answer(clientOrderId, { kind: 'accepted', order: fromAccepted(message), balance: user_balance })
    },
    refused: ({ clientOrderId, code, message }) => {
      // Without an id it was not read as an order at all; then it can only be about the one that waits.
      const id = clientOrderId ?? (pending.get().length === 1 ? pending.get()[0]?.clientOrderId : undefined)
      if (id !== undefined && pending.get().some((order) => order.clientOrderId === id)) {
        answer(id, { kind: 'refused', code, message })
      }
    },
    connected: () => {
      for (const order of pending.get()) {
        if (!order.isOverdue && doors.now() - order.startedAt < resendForMs) send(order)
      }
      lookAfter()
    },
    close: () => clearInterval(timer),
  }
}

function readPending(stored: unknown): PendingOrder[] {
  if (!Array.isArray(stored)) return []
  return stored.filter(
    (order: unknown): order is PendingOrder =>
      typeof order === 'object' &&
      order !== null &&
      'clientOrderId' in order &&
      'request' in order &&
      'startedAt' in order,
  )
}
