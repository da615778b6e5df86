import { settleOrder } from '#core/orders/rules/rules.ts'
import type { Instant } from '#core/time/instant.ts'
import { chunk } from '#server/platform/concurrency/chunk.ts'
import type { Ctx } from '#server/platform/context/context.ts'
import { dueKeyText } from '#server/trading/engine/due-index.ts'
import { type ClosedOrder, type DueOrder, settledOrder, type WrittenPrice } from '#server/trading/engine/due-order.ts'
import type { EngineStore } from '#server/trading/engine/engine-store.ts'
import { UnsureSettlements } from '#server/trading/engine/in-doubt-settlements.ts'
import type { Decided } from '#server/trading/engine/price-decider.ts'
import { groupByShard } from '#server/trading/engine/user-shards.ts'

export interface BatchSettlerParts {
  readonly ctx: Pick<Ctx, 'log' | 'now' | 'publish'>
  readonly store: Pick<EngineStore, 'loadDueOrders' | 'settleBatch' | 'findSettled'>
  readonly maxBatchSize: number
  /**
   * The number of lanes: see `AcceptorOptions`. Due orders are split by lane, so all orders of a user are settled by
   * one lane.
   */
  readonly lanes: number
  /** Whether other nodes settle symbols too. */
  readonly isShared: boolean
  /** Called with the orders that one statement has settled. */
  readonly onSettled: (orders: readonly ClosedOrder[]) => void
}

/**
 * A lane sends two batches at a time, so that the database starts the next batch while the server reads the previous
 * reply.
 */
const BATCHES_AT_ONCE = 2
/**
 * One load reads the orders of three turns. Loads should be few, because each load also scans the rows of orders that
 * were settled since the last load.
 */
const TURNS_LOADED = 3

/** Settles the orders of expiries whose prices are stored, from stored rows alone, and announces them. */
export class BatchSettler {
  readonly #parts: BatchSettlerParts
  readonly #unsure = new UnsureSettlements()

  constructor(parts: BatchSettlerParts) {
    this.#parts = parts
  }

  async settle({ keys, prices }: Decided): Promise<void> {
    const { store, maxBatchSize, lanes, isShared } = this.#parts
    const atOnce = BATCHES_AT_ONCE * lanes * maxBatchSize
    const loaded = TURNS_LOADED * atOnce
    for (;;) {
      const orders = await store.loadDueOrders(keys, loaded)
      let settled = 0
      for (const some of chunk(orders, atOnce)) settled += await this.#settleByLanes(some, prices)
      // The database refuses to settle orders whose lease this node has lost. The loop ends then, because these orders
      // would be loaded again for ever.
      if (orders.length < loaded || (settled === 0 && isShared)) return
    }
  }

  /** Announces orders that a failed statement has settled nevertheless, as soon as the database shows it. */
  async announceUnsure(): Promise<void> {
    if (this.#unsure.size === 0) return
    try {
      this.#announce(await this.#unsure.takeSettled(this.#parts.store))
    } catch (error) {
      this.#parts.ctx.log.warn(
        { err: error, orders: this.#unsure.size },
        'the results of a failed settlement could not be read',
      )
    }
  }

  /**
   * Announces the orders of each successful batch, even when other batches fail. Returns the number of settled orders.
   */
  async #settleByLanes(orders: readonly DueOrder[], prices: ReadonlyMap<string, WrittenPrice>): Promise<number> {
    const { ctx, lanes, maxBatchSize } = this.#parts
    const settledAt = ctx.now()
    const batches = groupByShard(orders, lanes).flatMap((all, lane) =>
      chunk(all, maxBatchSize).map((own) => ({ lane, own })),
    )
    const ends = await Promise.allSettled(
      batches.map(async ({ lane, own }) => {
        const settled = await this.#settleBatch(own, settledAt, lane)
        this.#announce(
          settled.map((settlement): ClosedOrder => {
            const { symbolId, facts, group } = settlement.due
            const key = dueKeyText({ symbolId, expiresAt: facts.expiresAt, group })
            return { ...settlement, settledAt, price: prices.get(key) ?? null }
          }),
        )
        return settled.length
      }),
    )
    let settled = 0
    for (const end of ends) {
      if (end.status === 'rejected') throw end.reason
      settled += end.value
    }
    return settled
  }

  /** Settles one batch. Returns the orders that this call settled, in the order in which they were given. */
  async #settleBatch(
    orders: readonly DueOrder[],
    settledAt: Instant,
    lane: number,
  ): Promise<Pick<ClosedOrder, 'order' | 'due'>[]> {
    const rows = orders.map((due) => ({
      userId: due.userId,
      orderId: due.orderId,
      due,
      settled: settleOrder(due.facts, due.price),
    }))
    try {
      const credited = await this.#parts.store.settleBatch(rows, settledAt, lane)
      this.#unsure.drop(credited)
      const byOrder = new Map(credited.map((one) => [one.orderId, one]))
      return rows.flatMap(({ orderId, due, settled }) => {
        const own = byOrder.get(orderId)
        return own === undefined ? [] : [{ order: settledOrder(due, settled, own), due }]
      })
    } catch (error) {
      this.#unsure.add(orders)
      throw error
    }
  }

  #announce(closed: readonly ClosedOrder[]): void {
    const { ctx, onSettled } = this.#parts
    if (closed.length > 0) onSettled(closed)
    for (const { order } of closed) {
      const { orderId, userId, symbolId, result } = order
      ctx.log.debug({ orderId, userId, symbolId, result }, 'an order was settled')
      ctx.publish({ kind: 'order-settled', order })
    }
  }
}
