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

/** An order without a reply yet. */
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
  /**
   * Whether the order is too old to be sent again, because it could open later than the user meant. The client looks it
   * up instead.
   */
  readonly isOverdue: boolean
}

interface PendingOrdersOptions {
  /** Storage that survives a reload of the tab, so that a reload cannot lose or duplicate an order. */
  readonly load: () => unknown
  readonly save: (pending: readonly PendingOrder[]) => void
  readonly validForMs: number
}

/** The orders without a reply yet, oldest first, also after a reload of the tab. */
export class PendingOrders {
  readonly store: Store<readonly PendingOrder[]>
  readonly #save: PendingOrdersOptions['save']

  constructor({ load, save, validForMs }: PendingOrdersOptions) {
    this.store = createStore<readonly PendingOrder[]>(readPending(load(), validForMs))
    this.#save = save
    save(this.all)
  }

  get all(): readonly PendingOrder[] {
    return this.store.get()
  }

  find(clientOrderId: string): PendingOrder | undefined {
    return this.all.find((order) => order.clientOrderId === clientOrderId)
  }

  add(order: PendingOrder): void {
    this.#set([...this.all, order])
  }

  remove(clientOrderId: string): void {
    this.#set(this.all.filter((order) => order.clientOrderId !== clientOrderId))
  }

  markSent(clientOrderId: string): void {
    this.#change((order) => order.clientOrderId === clientOrderId, { isSent: true })
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
