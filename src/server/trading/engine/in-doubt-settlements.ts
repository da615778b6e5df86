import type { EngineStore } from '#server/trading/engine/engine-store.ts'
import type { ClosedOrder, CreditedOrder, DueOrder } from '#server/trading/engine/due-order.ts'

/**
 * Keeps the orders of failed settlement statements. Such a statement may have been committed nevertheless, or may still
 * be running on a broken connection. In both cases no result was announced. The settler looks these orders up until
 * they are settled, by this node or another.
 */
export class UnsureSettlements {
  readonly #orders = new Map<string, DueOrder>()

  get size(): number {
    return this.#orders.size
  }

  add(orders: readonly DueOrder[]): void {
    for (const order of orders) this.#orders.set(order.orderId, order)
  }

  /** Drops orders that a later, successful statement has settled. */
  drop(settled: readonly CreditedOrder[]): void {
    for (const { orderId } of settled) this.#orders.delete(orderId)
  }

  /**
   * Removes and returns the orders that are settled by now. Their settlement price has to be read from the database.
   */
  async takeSettled(store: Pick<EngineStore, 'findSettled'>): Promise<ClosedOrder[]> {
    const found = await store.findSettled([...this.#orders.values()])
    const closed = found.flatMap(({ order, settledAt }): ClosedOrder[] => {
      const due = this.#orders.get(order.orderId)
      return due === undefined ? [] : [{ order, due, settledAt, price: null }]
    })
    for (const { order } of closed) this.#orders.delete(order.orderId)
    return closed
  }
}
