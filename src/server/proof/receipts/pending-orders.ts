import type { CommittedBatch } from '#server/trading/engine/committed-batch.ts'
import type { PlannedOrder } from '#server/trading/engine/planned-order.ts'
import type { ClosedOrder } from '#server/trading/engine/due-order.ts'
import type { ReceiptKind } from '#server/proof/receipts/receipt-batch.queries.ts'

const MAX_LEAVES_PER_TREE = 2_000

/**
 * Keeps the orders that wait for their receipts in memory. When an addition would exceed the limit, no further orders
 * are kept until `keepAgain` is called.
 */
export class PendingOrders {
  readonly #limit: number
  readonly #accepted: PlannedOrder[] = []
  readonly #settled: ClosedOrder[] = []
  #hasOverflowed = false

  constructor(limit: number) {
    this.#limit = limit
  }

  get count(): number {
    return this.#accepted.length + this.#settled.length
  }

  /** Whether orders were not kept, so that the backfill has to make their receipts. */
  get hasOverflowed(): boolean {
    return this.#hasOverflowed
  }

  get hasFullTree(): boolean {
    return this.count >= MAX_LEAVES_PER_TREE
  }

  /** -1 without waiting orders, 0 at half of the limit, and 1 at the limit. */
  get pressure(): number {
    return (2 * this.count) / this.#limit - 1
  }

  /** Returns whether the orders are kept. If not, the backfill has to find them by their rows. */
  add(committed: CommittedBatch): boolean {
    if (this.count + committed.orders.length > this.#limit) this.#hasOverflowed = true
    if (this.#hasOverflowed) return false
    if (committed.kind === 'accepted') this.#accepted.push(...committed.orders)
    else this.#settled.push(...committed.orders)
    return true
  }

  /** Keeps new orders again. Call at the beginning of a backfill, which finds the orders that were not kept. */
  keepAgain(): void {
    this.#hasOverflowed = false
  }

  /** Passes the oldest accepted orders, enough for one tree, to `make`. The orders are removed when `make` is done. */
  async takeAccepted(make: (orders: readonly PlannedOrder[]) => Promise<void>): Promise<void> {
    await takeTree(this.#accepted, make)
  }

  /** Passes the oldest settled orders, enough for one tree, to `make`. The orders are removed when `make` is done. */
  async takeSettled(make: (orders: readonly ClosedOrder[]) => Promise<void>): Promise<void> {
    await takeTree(this.#settled, make)
  }

  orderIds(): Record<ReceiptKind, ReadonlySet<string>> {
    return {
      accepted: new Set(this.#accepted.map(({ orderId }) => orderId)),
      result: new Set(this.#settled.map(({ order }) => order.orderId)),
      // Receipts of money steps are always made from rows, so none of these steps waits in memory.
      money: new Set(),
    }
  }
}

async function takeTree<T>(queue: T[], make: (orders: readonly T[]) => Promise<void>): Promise<void> {
  const orders = queue.slice(0, MAX_LEAVES_PER_TREE)
  await make(orders)
  queue.splice(0, orders.length)
}
