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
  /** `message` is the server's own, in the user's language; empty for `not_taken` and `cancelled`, which nobody told us. */
  | { readonly kind: 'refused'; readonly code: string; readonly message: string }

/** An order that was sent and not answered yet. */
export interface PendingOrder {
  readonly clientOrderId: string
  readonly userId: string
  readonly request: OrderRequest
  /** This device's clock. */
  readonly startedAt: number
  /** The server's clock: it opens the order up to then and not later. */
  readonly validUntil: number
  /** It may have reached the server. Until then its user can take it back. */
  readonly isSent: boolean
  /** Sending it again could open it later than the user meant, so the server is asked instead. */
  readonly isOverdue: boolean
}

export interface OrderDeskDoors {
  /** Sends over the socket; false when there is no connection. The token is added there. */
  send: (message: { action: 'newTrade'; data: OrderRequest & { clientOrderId: string; validUntil: number } }) => boolean
  userId: () => string | null
  /** The own orders, newest first. */
  askRecent: () => Promise<readonly OwnTrade[]>
  newId: () => string
  now: () => number
  serverNow: () => number
  /** Survives a reload of this tab, so that an order cannot get lost or be placed twice by one. */
  load: () => unknown
  save: (pending: readonly PendingOrder[]) => void
  validForMs?: number
  /** How long an unanswered order is sent again after a reconnect. */
  resendForMs?: number
  askEveryMs?: number
}

export interface OrderDesk {
  /** Answers when the server has; that may be after a reconnect. The same order is never opened twice. */
  place: (request: OrderRequest) => Promise<Placement>
  /** Takes back an order that has not been sent; one that may have reached the server stays. */
  cancel: (clientOrderId: string) => void
  pending: Store<readonly PendingOrder[]>
  onAnswer: (listener: (clientOrderId: string, placement: Placement) => void) => () => void
  accepted: (message: NewTradeAccepted) => void
  refused: (message: NewTradeRefused) => void
  /** The socket is open and subscribed (again): what is unanswered is sent again under its old id. */
  connected: () => void
  close: () => void
}

/** How long after the tap an order may be opened: later is another price and another time than its user saw. */
export const VALID_FOR_MS = 3_000

/** Times an order must be missing from the list before it counts as never taken. */
const MISSING_TIMES = 2

/** Places orders, each exactly once whatever the network does. */
export function createOrderDesk(doors: OrderDeskDoors): OrderDesk {
  const { validForMs = VALID_FOR_MS, resendForMs = 15_000, askEveryMs = 5_000 } = doors
  const pending = createStore<readonly PendingOrder[]>(readPending(doors.load(), validForMs))
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

  /** Sent again later, it still says until when it was meant: the server tells what became of it, and opens nothing late. */
  function send({ clientOrderId, request, userId, validUntil, isSent }: PendingOrder): void {
    if (userId !== doors.userId()) return
    const hasLeft = doors.send({ action: 'newTrade', data: { ...request, clientOrderId, validUntil } })
    if (!hasLeft || isSent) return
    keep(pending.get().map((order) => (order.clientOrderId === clientOrderId ? { ...order, isSent: true } : order)))
  }

  /** Gives up what has never left: nothing was opened, and nothing will be. */
  function giveUp(clientOrderId: string, code: 'not_taken' | 'cancelled'): void {
    const order = pending.get().find((one) => one.clientOrderId === clientOrderId)
    if (order?.isSent === false) answer(clientOrderId, { kind: 'refused', code, message: '' })
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
    cancel: (clientOrderId) => giveUp(clientOrderId, 'cancelled'),
    place: (request) => {
      const clientOrderId = doors.newId()
      const order = {
        clientOrderId,
        userId: doors.userId() ?? '',
        request,
        startedAt: doors.now(),
        validUntil: Math.floor(doors.serverNow()) + validForMs,
        isSent: false,
        isOverdue: false,
      }
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
        setTimeout(() => giveUp(clientOrderId, 'not_taken'), validForMs)
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
        if (!order.isSent && doors.serverNow() > order.validUntil) giveUp(order.clientOrderId, 'not_taken')
        else if (!order.isOverdue && doors.now() - order.startedAt < resendForMs) send(order)
      }
      lookAfter()
    },
    close: () => clearInterval(timer),
  }
}

/** An earlier version kept orders without a validity, and did not say whether they were sent. */
function readPending(stored: unknown, validForMs: number): PendingOrder[] {
  if (!Array.isArray(stored)) return []
  const kept = stored.filter(
    (order: unknown): order is Omit<PendingOrder, 'validUntil' | 'isSent'> & Partial<PendingOrder> =>
      typeof order === 'object' &&
      order !== null &&
      'clientOrderId' in order &&
      'request' in order &&
      'startedAt' in order,
  )
  return kept.map((order) => ({ validUntil: order.startedAt + validForMs, isSent: true, ...order }))
}
