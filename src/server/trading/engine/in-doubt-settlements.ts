import type { EngineStore } from '#server/trading/engine/engine-store.ts'
import type { ClosedOrder, CreditedOrder, DueOrder } from '#server/trading/engine/settle.queries.ts'

/**
 * Orders of a statement that failed. It may have been carried out all the same, or still be under way on a connection that
 * broke, and then nobody has told their owners: they are looked for until they are settled, by whomever.
 */
export class UnsureSettlements {
  readonly #orders = new Map<string, DueOrder>()

  get size(): number {
    return this.#orders.size
  }

  add(orders: readonly DueOrder[]): void {
    for (const order of orders) this.#orders.set(order.orderId, order)
  }

  /** These were settled by a statement that answered. */
  drop(settled: readonly CreditedOrder[]): void {
    for (const { orderId } of settled) this.#orders.delete(orderId)
  }

  /** Takes out those that are settled by now. What their price was has to be read. */
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
