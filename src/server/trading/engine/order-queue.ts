import type { Refusal, Result } from '#core/result.ts'
import type { AcceptedOrder, OrderRefusal, OrderRequest } from '#server/trading/engine/engine.ts'
import { shardOf } from '#server/trading/engine/user-shards.ts'

export type OrderAnswer = Result<AcceptedOrder, OrderRefusal>

/** An order waiting for its turn, with the callbacks that reply to its sender. */
export interface WaitingOrder {
  readonly request: OrderRequest
  readonly answer: (answer: OrderAnswer) => void
  readonly fail: (error: unknown) => void
  /** Set when the order is refused for the wait that late prices demand. */
  readonly refusal?: Refusal<OrderRefusal>
}

/** An order in a lane. `place` is its position among the orders of all lanes. */
interface Queued {
  readonly order: WaitingOrder
  readonly place: number
}

/** Keeps the orders that wait for their lane. The caller limits how many may wait. */
export class OrderQueue {
  readonly #lanes: Queued[][]
  #length = 0
  #nextPlace = 0
  #firstPlace = 0

  constructor(lanes: number) {
    this.#lanes = Array.from({ length: lanes }, () => [])
  }

  get length(): number {
    return this.#length
  }

  add(order: WaitingOrder): void {
    this.#laneOfUser(order).push({ order, place: this.#nextPlace })
    this.#nextPlace += 1
    this.#length += 1
  }

  /** The number of orders waiting for this lane. */
  waitingFor(lane: number): number {
    return this.#lane(lane).length
  }

  /** Returns orders that could not be decided yet to the front of the queue. */
  putBack(orders: readonly WaitingOrder[]): void {
    for (const order of orders.toReversed()) {
      this.#firstPlace -= 1
      this.#laneOfUser(order).unshift({ order, place: this.#firstPlace })
    }
    this.#length += orders.length
  }

  /**
   * Removes and returns the next orders of a lane, oldest first, at most `size`. One batch holds a client order id of a
   * user only once. A repeat waits for the next batch, where it finds the first reply stored.
   */
  take(size: number, lane: number): WaitingOrder[] {
    const batch: WaitingOrder[] = []
    const rest: Queued[] = []
    const keys = new Set<string>()
    for (const queued of this.#lane(lane)) {
      const key = keyOf(queued.order)
      if (batch.length < size && !keys.has(key)) {
        keys.add(key)
        batch.push(queued.order)
      } else {
        rest.push(queued)
      }
    }
    this.#lanes[lane] = rest
    this.#length -= batch.length
    return batch
  }

  /** Like `take`, but takes the oldest orders of all lanes together. */
  takeOldest(size: number): WaitingOrder[] {
    const batch: WaitingOrder[] = []
    const keys = new Set<string>()
    const rest: Queued[][] = this.#lanes.map(() => [])
    const next = this.#lanes.map(() => 0)
    while (batch.length < size) {
      let oldest: Queued | undefined
      let lane = 0
      for (const [at, orders] of this.#lanes.entries()) {
        const queued = orders[next[at] ?? 0]
        if (queued === undefined || (oldest !== undefined && queued.place > oldest.place)) continue
        oldest = queued
        lane = at
      }
      if (oldest === undefined) break
      next[lane] = (next[lane] ?? 0) + 1
      const key = keyOf(oldest.order)
      if (keys.has(key)) rest[lane]?.push(oldest)
      else batch.push(oldest.order)
      keys.add(key)
    }
    for (const [lane, orders] of this.#lanes.entries()) {
      this.#lanes[lane] = [...(rest[lane] ?? []), ...orders.slice(next[lane])]
    }
    this.#length -= batch.length
    return batch
  }

  #laneOfUser({ request }: WaitingOrder): Queued[] {
    return this.#lane(shardOf(request.userId, this.#lanes.length))
  }

  #lane(lane: number): Queued[] {
    const orders = this.#lanes[lane]
    if (orders === undefined) throw new Error(`unknown lane ${lane}`)
    return orders
  }
}

/** Returns the key of an order. A repeat of the order has the same key. */
function keyOf({ request }: WaitingOrder): string {
  return `${request.userId} ${request.clientOrderId}`
}
