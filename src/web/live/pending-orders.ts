import type { AccountName } from '#core/accounts/practice.ts'
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
  /** The account that was on screen. Orders that an earlier version stored have none; they are live orders. */
  readonly account?: AccountName
}

/** A refusal of the server, with its text in the user's language. */
export interface OrderRefusal {
  readonly code: string
  readonly message: string
}

/** An order without a reply that decides it. */
export interface PendingOrder {
  readonly clientOrderId: string
  readonly userId: string
  readonly request: OrderRequest
  /** When the user placed the order, by this device's clock. */
  readonly startedAt: number
  /** The server does not open the order after this time, by the server's clock. */
  readonly validUntil: number
  /** Whether the order may have reached the server. If not, the user can cancel it. */
  readonly isSent: boolean
  /** Whether the order was sent more than once, so that a refusal may answer the repeat of an accepted order. */
  readonly isResent: boolean
  /**
   * Whether the order is not sent again: it is so old that it could open later than the user meant, or a reply left it
   * undecided. The client looks it up instead.
   */
  readonly isOverdue: boolean
  /** A refusal that does not tell whether the order was accepted before. The user gets it if the look-ups find nothing. */
  readonly refusal: OrderRefusal | null
}

interface PendingOrdersOptions {
  /** Storage that survives a reload of the tab, so that a reload cannot lose or duplicate an order. */
  readonly load: () => unknown
  readonly save: (pending: readonly PendingOrder[]) => void
  readonly userId: () => string | null
  readonly validForMs: number
}

/** The orders without a reply yet, oldest first, also after a reload of the tab. */
export class PendingOrders {
  readonly store: Store<readonly PendingOrder[]>
  readonly #save: PendingOrdersOptions['save']
  readonly #userId: PendingOrdersOptions['userId']

  constructor({ load, save, userId, validForMs }: PendingOrdersOptions) {
    this.store = createStore<readonly PendingOrder[]>(readPending(load(), validForMs))
    this.#save = save
    this.#userId = userId
    save(this.all)
  }

  get all(): readonly PendingOrder[] {
    return this.store.get()
  }

  /** The orders of the current user. Orders of another user of this tab wait until that user logs in again. */
  get own(): readonly PendingOrder[] {
    return this.all.filter((order) => this.owns(order))
  }

  owns({ userId }: PendingOrder): boolean {
    return userId === (this.#userId() ?? '')
  }

  find(clientOrderId: string): PendingOrder | undefined {
    return this.all.find((order) => order.clientOrderId === clientOrderId)
  }

  /**
   * Finds the order of a refusal. A refusal without an id refers to a message that was not read as an order, so it can
   * only be matched if the user has a single order here.
   */
  match(clientOrderId: string | null): PendingOrder | undefined {
    if (clientOrderId !== null) return this.find(clientOrderId)
    const [only, second] = this.own
    return second === undefined ? only : undefined
  }

  add(order: PendingOrder): void {
    this.#set([...this.all, order])
  }

  remove(clientOrderId: string): void {
    this.#set(this.all.filter((order) => order.clientOrderId !== clientOrderId))
  }

  /** Marks an order as sent, and from the second time on as sent more than once. */
  markSent({ clientOrderId, isSent }: PendingOrder): void {
    this.#change((order) => order.clientOrderId === clientOrderId, isSent ? { isResent: true } : { isSent: true })
  }

  /** Keeps a refusal that leaves the order undecided. The order is not sent again. */
  markUndecided(clientOrderId: string, refusal: OrderRefusal): void {
    this.#change((order) => order.clientOrderId === clientOrderId, { refusal, isOverdue: true })
  }

  /** Marks the orders that started at or before a time as overdue. */
  markOverdue(startedUntil: number): void {
    this.#change((order) => !order.isOverdue && order.startedAt <= startedUntil, { isOverdue: true })
  }

  #change(isMeant: (order: PendingOrder) => boolean, change: Partial<PendingOrder>): void {
    if (!this.all.some(isMeant)) return
    this.#set(this.all.map((order) => (isMeant(order) ? { ...order, ...change } : order)))
  }

  #set(next: readonly PendingOrder[]): void {
    this.store.set(next)
    this.#save(next)
  }
}

/** Fields that an earlier version did not store. Such an order was sent, and a refusal of it is undecided. */
const LATER = { isSent: true, isResent: true, refusal: null } as const

/** Reads stored orders. An earlier version stored them without some of the fields. */
function readPending(stored: unknown, validForMs: number): PendingOrder[] {
  if (!Array.isArray(stored)) return []
  const validOrders = stored.filter(
    (order: unknown): order is Omit<PendingOrder, keyof typeof LATER | 'validUntil'> & Partial<PendingOrder> =>
      typeof order === 'object' &&
      order !== null &&
      'clientOrderId' in order &&
      'request' in order &&
      'startedAt' in order,
  )
  return validOrders.map((order) => ({ validUntil: order.startedAt + validForMs, ...LATER, ...order }))
}
