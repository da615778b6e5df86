import type { Result } from '#core/result.ts'
import type { AcceptedOrder, OrderRefusal, OrderRequest } from '#server/engine/engine.ts'

export type OrderAnswer = Result<AcceptedOrder, OrderRefusal>

/** An order waiting for its turn, with the way to answer whoever asked. */
export interface WaitingOrder {
  readonly request: OrderRequest
  readonly answer: (answer: OrderAnswer) => void
  readonly fail: (error: unknown) => void
}

/** Orders wait here only while every connection is busy. Bounded: a full queue answers `busy` at once. */
export class OrderQueue {
  #waiting: WaitingOrder[] = []
  readonly #limit: number

  constructor(limit: number) {
    this.#limit = limit
  }

  get length(): number {
    return this.#waiting.length
  }

  /** False when the queue is full. */
  add(order: WaitingOrder): boolean {
    if (this.#waiting.length >= this.#limit) return false
    this.#waiting.push(order)
    return true
  }

  /** Orders that were taken but could not be decided yet go first again. */
  putBack(orders: readonly WaitingOrder[]): void {
    this.#waiting.unshift(...orders)
  }

  /**
   * Takes the next orders, oldest first, at most `size`. One batch holds a client order id of a user only once: the
   * repeat waits for the next batch, where it finds the first answer stored.
   */
  take(size: number): WaitingOrder[] {
    const batch: WaitingOrder[] = []
    const rest: WaitingOrder[] = []
    const keys = new Set<string>()
    for (const order of this.#waiting) {
      const key = `${order.request.userId} ${order.request.clientOrderId}`
      if (batch.length < size && !keys.has(key)) {
        keys.add(key)
        batch.push(order)
      } else {
        rest.push(order)
      }
    }
    this.#waiting = rest
    return batch
  }

  takeAll(): WaitingOrder[] {
    return this.#waiting.splice(0)
  }
}
