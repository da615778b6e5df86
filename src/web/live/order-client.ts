import type { NewTradeAccepted, NewTradeRefused } from '#contract/live/app-socket.ts'
import type { OwnTrade } from '#contract/trades.ts'
import { fromAccepted, fromOwnTrade, type PlacedOrder } from '#web/live/placed-order.ts'
import { createStore, type Store } from '#ui/state/store.ts'

/** The user's request for an order. Amounts are plain decimal text, so that no digits are lost. */
export interface OrderRequest {
  readonly type: 'buy' | 'sell'
  readonly tradeSettingId: number
  readonly amount: string
  readonly symbol: string
  readonly marketType: string
  /** The payout and duration shown on the screen. If they are outdated, the server refuses the order. */
  readonly profitPercentage?: number
  readonly time?: number
}

export type Placement =
  | { readonly kind: 'accepted'; readonly order: PlacedOrder; readonly balance: number | null }
  /**
   * `message` is the server's, in the user's language, but empty for `not_taken` and `cancelled`, which the client
   * decides.
   */
  | { readonly kind: 'refused'; readonly code: string; readonly message: string }

/** An order without a reply yet. */
export interface PendingOrder {
  readonly clientOrderId: string
  readonly userId: string
  readonly request: OrderRequest
  /** By this device's clock. */
  readonly startedAt: number
  /** By the server's clock. The server does not open the order later than this. */
  readonly validUntil: number
  /** The order may have reached the server. Before that, the user can cancel it. */
  readonly isSent: boolean
  /** Sending it again could open it later than the user meant, so the client looks it up instead. */
  readonly isOverdue: boolean
}

export interface OrderClientDeps {
  /** Sends a message over the socket and adds the token. Returns false when there is no connection. */
  send: (message: { action: 'newTrade'; data: OrderRequest & { clientOrderId: string; validUntil: number } }) => boolean
  userId: () => string | null
  /** Loads the user's orders, newest first. */
  askRecent: () => Promise<readonly OwnTrade[]>
  newId: () => string
  now: () => number
  serverNow: () => number
  /** Storage that survives a reload of the tab, so that a reload cannot lose or duplicate an order. */
  load: () => unknown
  save: (pending: readonly PendingOrder[]) => void
  validForMs?: number
  /** How long an unanswered order is sent again after a reconnect, in milliseconds. */
  resendForMs?: number
  askEveryMs?: number
}

export interface OrderClient {
  /** Resolves when the server replies, which can be after a reconnect. The same order is never opened twice. */
  place: (request: OrderRequest) => Promise<Placement>
  /** Cancels an order that has not been sent. An order that may have reached the server stays. */
  cancel: (clientOrderId: string) => void
  pending: Store<readonly PendingOrder[]>
  onAnswer: (listener: (clientOrderId: string, placement: Placement) => void) => () => void
  accepted: (message: NewTradeAccepted) => void
  refused: (message: NewTradeRefused) => void
  /** Called when the socket is open and subscribed. It sends unanswered orders again under their ids. */
  connected: () => void
  close: () => void
}

/** 3 s: how long after the tap an order may be opened. Later, price and time would differ from what the user saw. */
export const VALID_FOR_MS = 3_000

/** An order counts as not placed when it was absent from the list this many times. */
const MISSING_TIMES = 2

/** Places each order exactly once, even if the network fails. */
export function createOrderClient(deps: OrderClientDeps): OrderClient {
  const { validForMs = VALID_FOR_MS, resendForMs = 15_000, askEveryMs = 5_000 } = deps
  const pending = createStore<readonly PendingOrder[]>(readPending(deps.load(), validForMs))
  const listeners = new Set<(clientOrderId: string, placement: Placement) => void>()
  const missing = new Map<string, number>()
  let timer: ReturnType<typeof setInterval> | undefined

  function keep(next: readonly PendingOrder[]): void {
    pending.set(next)
    deps.save(next)
    if (next.length === 0) {
      clearInterval(timer)
      timer = undefined
    } else timer ??= setInterval(lookAfter, Math.min(askEveryMs, resendForMs))
  }

  /** Sends an order with its validity. A repeated message therefore returns the outcome and opens nothing late. */
  function send({ clientOrderId, request, userId, validUntil, isSent }: PendingOrder): void {
    if (userId !== deps.userId()) return
    const hasLeft = deps.send({ action: 'newTrade', data: { ...request, clientOrderId, validUntil } })
    if (!hasLeft || isSent) return
    keep(pending.get().map((order) => (order.clientOrderId === clientOrderId ? { ...order, isSent: true } : order)))
  }

  /** Gives up an order that was never sent. No order was or will be opened. */
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
    const now = deps.now()
    const isLate = (order: PendingOrder) => !order.isOverdue && now - order.startedAt >= resendForMs
    if (pending.get().some(isLate)) {
      keep(pending.get().map((order) => (isLate(order) ? { ...order, isOverdue: true } : order)))
    }
    if (pending.get().some((order) => order.isOverdue)) void ask()
  }

  async function ask(): Promise<void> {
    let trades: readonly OwnTrade[]
    try {
      trades = await deps.askRecent()
    } catch {
      return // No reply from the network: the look-up is repeated, and the screen shows that the order is pending.
    }
    for (const { clientOrderId, isOverdue, userId } of pending.get()) {
      if (!isOverdue || userId !== deps.userId()) continue
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
      const clientOrderId = deps.newId()
      const order = {
        clientOrderId,
        userId: deps.userId() ?? '',
        request,
        startedAt: deps.now(),
        validUntil: Math.floor(deps.serverNow()) + validForMs,
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
        // Stored before it is sent, so that its id survives any later failure.
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
      // A reply without an id refers to a message that was not read as an order. It can only be matched if a single
      // order is pending.
      const id = clientOrderId ?? (pending.get().length === 1 ? pending.get()[0]?.clientOrderId : undefined)
      if (id !== undefined && pending.get().some((order) => order.clientOrderId === id)) {
        answer(id, { kind: 'refused', code, message })
      }
    },
    connected: () => {
      for (const order of pending.get()) {
        if (!order.isSent && deps.serverNow() > order.validUntil) giveUp(order.clientOrderId, 'not_taken')
        else if (!order.isOverdue && deps.now() - order.startedAt < resendForMs) send(order)
      }
      lookAfter()
    },
    close: () => clearInterval(timer),
  }
}

/** Reads stored orders. An earlier version stored them without validity and without the sent flag. */
function readPending(stored: unknown, validForMs: number): PendingOrder[] {
  if (!Array.isArray(stored)) return []
  const validOrders = stored.filter(
    (order: unknown): order is Omit<PendingOrder, 'validUntil' | 'isSent'> & Partial<PendingOrder> =>
      typeof order === 'object' &&
      order !== null &&
      'clientOrderId' in order &&
      'request' in order &&
      'startedAt' in order,
  )
  return validOrders.map((order) => ({ validUntil: order.startedAt + validForMs, isSent: true, ...order }))
}
