import type { Result } from '#core/result.ts'
import type { AcceptedOrder, OrderRefusal, OrderRequest } from '#server/trading/engine/engine.ts'
import { shardOf } from '#server/trading/engine/user-shards.ts'

export type OrderAnswer = Result<AcceptedOrder, OrderRefusal>

/** An order waiting for its turn, with the callbacks that reply to its sender. */
export interface WaitingOrder {
  readonly request: OrderRequest
  readonly answer: (answer: OrderAnswer) => void
  readonly fail: (error: unknown) => void
}

/** Orders waiting for their lane. The caller limits how many may wait. */
export class OrderQueue {
  readonly #lanes: WaitingOrder[][]
  #length = 0

  constructor(lanes: number) {
    this.#lanes = Array.from({ length: lanes }, () => [])
  }

  get length(): number {
    return this.#length
  }

  add(order: WaitingOrder): void {
    this.#laneOfUser(order).push(order)
    this.#length += 1
  }

  /** The number of orders waiting for this lane. */
  waitingFor(lane: number): number {
    return this.#lane(lane).length
  }

  /** Returns orders that could not be decided yet to the front of the queue. */
  putBack(orders: readonly WaitingOrder[]): void {
    for (const order of orders.toReversed()) this.#laneOfUser(order).unshift(order)
    this.#length += orders.length
  }

  /**
   * Removes and returns the next orders of a lane, oldest first, at most `size`. One batch holds a client order id of a user only once. A
   * repeat waits for the next batch, where it finds the first reply stored.
   */
  take(size: number, lane: number): WaitingOrder[] {
    const batch: WaitingOrder[] = []
    const rest: WaitingOrder[] = []
    const keys = new Set<string>()
    for (const order of this.#lane(lane)) {
      const key = `${order.request.userId} ${order.request.clientOrderId}`
      if (batch.length < size && !keys.has(key)) {
        keys.add(key)
        batch.push(order)
      } else {
        rest.push(order)
      }
    }
    this.#lanes[lane] = rest
    this.#length -= batch.length
    return batch
  }

  #laneOfUser({ request }: WaitingOrder): WaitingOrder[] {
    return this.#lane(shardOf(request.userId, this.#lanes.length))
  }

  #lane(lane: number): WaitingOrder[] {
    const orders = this.#lanes[lane]
    if (orders === undefined) throw new Error(`unknown lane ${lane}`)
    return orders
  }
}
