import type { Clock } from '#server/platform/runtime/ports.ts'
import type { WaitingOrder } from '#server/trading/engine/order-queue.ts'

interface Held {
  readonly order: WaitingOrder
  isDue: boolean
  readonly cancel: () => void
}

/**
 * Orders that wait until our prices have caught up with the moment they came. The orders of one user stay in the order
 * they came in: else somebody who has seen meanwhile where the price goes could send another one that is taken first, and
 * so uses up the money, the room or the id of the one that is held. Nobody gets out of an order that way.
 */
export class HeldOrders {
  readonly #clock: Clock
  readonly #release: (order: WaitingOrder) => void
  readonly #byUser = new Map<string, Held[]>()
  #length = 0

  constructor(clock: Clock, release: (order: WaitingOrder) => void) {
    this.#clock = clock
    this.#release = release
  }

  get length(): number {
    return this.#length
  }

  countOf(userId: string): number {
    return this.#byUser.get(userId)?.length ?? 0
  }

  /** Lets go of it after `ms`, or after those of the same user that are before it. */
  hold(order: WaitingOrder, ms: number): void {
    const { userId } = order.request
    const own = this.#byUser.get(userId) ?? []
    this.#byUser.set(userId, own)
    const held: Held = {
      order,
      isDue: false,
      cancel: this.#clock.after(ms, () => {
        held.isDue = true
        this.#releaseDue(userId, own)
      }),
    }
    own.push(held)
    this.#length += 1
  }

  /** Lets go of all of them now. */
  releaseAll(): void {
    for (const [userId, own] of this.#byUser) {
      for (const held of own) {
        held.cancel()
        held.isDue = true
      }
      this.#releaseDue(userId, own)
    }
  }

  #releaseDue(userId: string, own: Held[]): void {
    for (let first = own[0]; first?.isDue === true; first = own[0]) {
      own.shift()
      this.#length -= 1
      if (own.length === 0) this.#byUser.delete(userId)
      this.#release(first.order)
    }
  }
}
