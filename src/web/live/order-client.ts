import type { NewTradeAccepted, NewTradeRefused } from '#contract/live/app-socket.ts'
import type { OwnTrade } from '#contract/trades.ts'
import type { AccountName } from '#core/accounts/practice.ts'
import { OrderLookUps } from '#web/live/order-look-ups.ts'
import { fromAccepted, type Placement } from '#web/live/placed-order.ts'
import type { Store } from '#ui/state/store.ts'
import { type OrderRefusal, type OrderRequest, type PendingOrder, PendingOrders } from '#web/live/pending-orders.ts'

export interface OrderClientDeps {
  /** Sends a message over the socket and adds the token. Returns false when there is no connection. */
  send: (message: { action: 'newTrade'; data: OrderRequest & { clientOrderId: string; validUntil: number } }) => boolean
  userId: () => string | null
  /** Loads the user's orders of an account, newest first. */
  askRecent: (account: AccountName) => Promise<readonly OwnTrade[]>
  newId: () => string
  now: () => number
  serverNow: () => number
  /** Storage that survives a reload of the tab, so that a reload cannot lose or duplicate an order. */
  load: () => unknown
  save: (pending: readonly PendingOrder[]) => void
  validForMs?: number
  /**
   * After a reconnect, the client sends an unanswered order again if the order was placed at most this many
   * milliseconds ago.
   */
  resendForMs?: number
  askEveryMs?: number
}

export interface OrderClient {
  /** Resolves when the server replies, which can be after a reconnect. The same order is never opened twice. */
  place: (request: OrderRequest, clientOrderId?: string) => Promise<Placement>
  /** Cancels an order that has not been sent. An order that may have reached the server stays. */
  cancel: (clientOrderId: string) => void
  /** The orders without a reply of all users of this tab. */
  pending: Store<readonly PendingOrder[]>
  /** Runs the listener on each reply to an order of the current user. Returns a function that stops it. */
  onAnswer: (listener: AnswerListener) => () => void
  accepted: (message: NewTradeAccepted) => void
  refused: (message: NewTradeRefused) => void
  /** Called when the socket is open and subscribed. It sends unanswered orders again under their ids. */
  connected: () => void
  /** Called after a log-in or log-out. It looks up the orders that the user left without a reply before. */
  userChanged: () => void
  close: () => void
}

/** 3 s: how long after the tap an order may be opened. Later, price and time would differ from what the user saw. */
export const VALID_FOR_MS = 3_000

/** Refusals that do not tell whether the order was accepted, for example because the server failed after storing it. */
const UNDECIDED = new Set(['busy', 'rate_limited', 'restarting', 'server_error'])

/** `order` is undefined for a reply to an order that is not pending in this tab. */
type AnswerListener = (clientOrderId: string, placement: Placement, order?: PendingOrder) => void

/** Places each order exactly once, even if the network fails. */
export function createOrderClient(deps: OrderClientDeps): OrderClient {
  const { validForMs = VALID_FOR_MS, resendForMs = 15_000, askEveryMs = 5_000 } = deps
  const pending = new PendingOrders({ ...deps, validForMs })
  const answers = new Answers()
  const lookUps = new OrderLookUps({ ...deps, pending, answer, resendForMs, askEveryMs })

  /**
   * Sends an order with its id and validity. A repeated message therefore returns the first outcome, and the server
   * opens no order after `validUntil`.
   */
  function send(order: PendingOrder): void {
    const { clientOrderId, request, userId, validUntil } = order
    if (userId !== deps.userId()) return
    const hasLeft = deps.send({ action: 'newTrade', data: { ...request, clientOrderId, validUntil } })
    if (hasLeft) pending.markSent(order)
  }

  /** Gives up an order that was never sent. No order was or will be opened. */
  function giveUp(clientOrderId: string, code: 'not_taken' | 'cancelled'): void {
    if (pending.find(clientOrderId)?.isSent === false) answer(clientOrderId, { kind: 'refused', code, message: '' })
  }

  function answer(clientOrderId: string, placement: Placement): void {
    const order = pending.find(clientOrderId)
    // A late reply to a former user would change the balance of the current user.
    const isOwn = order === undefined || pending.owns(order)
    lookUps.forget(clientOrderId)
    pending.remove(clientOrderId)
    if (isOwn) answers.tell(clientOrderId, placement, order)
    else answers.drop(clientOrderId)
  }

  /**
   * Ends an order that the server refused. A refusal that leaves the order undecided ends nothing: the server may refuse
   * the repeat of an order that it accepted, for example during a pause. The look-ups then start at once, at their
   * usual distance from each other.
   */
  function takeRefusal({ clientOrderId, isResent }: PendingOrder, refusal: OrderRefusal): void {
    if (!isResent && !UNDECIDED.has(refusal.code)) return answer(clientOrderId, { kind: 'refused', ...refusal })
    pending.markUndecided(clientOrderId, refusal)
    lookUps.restart()
  }

  return {
    pending: pending.store,
    onAnswer: answers.listen,
    cancel: (clientOrderId) => giveUp(clientOrderId, 'cancelled'),
    place: async (request, clientOrderId = deps.newId()) => {
      const order = newOrder({ request, clientOrderId }, deps, validForMs)
      const placement = answers.next(order.clientOrderId)
      // Stored before it is sent, so that its id survives any later failure.
      pending.add(order)
      send(order)
      setTimeout(() => giveUp(order.clientOrderId, 'not_taken'), validForMs)
      return placement
    },
    accepted: (message) => {
      const { clientOrderId, user_balance: balance, account } = message.data
      answer(clientOrderId, { kind: 'accepted', order: fromAccepted(message), balance, account })
    },
    refused: ({ clientOrderId, code, message }) => {
      const order = pending.match(clientOrderId)
      if (order !== undefined) takeRefusal(order, { code, message })
    },
    connected: () => {
      for (const order of pending.all) {
        if (!order.isSent && deps.serverNow() > order.validUntil) giveUp(order.clientOrderId, 'not_taken')
        else if (!order.isOverdue && deps.now() - order.startedAt < resendForMs) send(order)
      }
      lookUps.look()
    },
    userChanged: () => lookUps.resume(),
    close: () => lookUps.stop(),
  }
}

/** Tells the replies to the listeners, and then to the caller that placed the order. */
class Answers {
  readonly #listeners = new Set<AnswerListener>()
  readonly #waiting = new Map<string, (placement: Placement) => void>()

  readonly listen = (listener: AnswerListener): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  next(clientOrderId: string): Promise<Placement> {
    return new Promise((resolve) => this.#waiting.set(clientOrderId, resolve))
  }

  tell(clientOrderId: string, placement: Placement, order: PendingOrder | undefined): void {
    for (const listener of this.#listeners) listener(clientOrderId, placement, order)
    this.#waiting.get(clientOrderId)?.(placement)
    this.drop(clientOrderId)
  }

  drop(clientOrderId: string): void {
    this.#waiting.delete(clientOrderId)
  }
}

function newOrder(
  order: Pick<PendingOrder, 'request' | 'clientOrderId'>,
  deps: OrderClientDeps,
  validForMs: number,
): PendingOrder {
  return {
    ...order,
    userId: deps.userId() ?? '',
    startedAt: deps.now(),
    validUntil: Math.floor(deps.serverNow()) + validForMs,
    isSent: false,
    isResent: false,
    isOverdue: false,
    refusal: null,
  }
}
