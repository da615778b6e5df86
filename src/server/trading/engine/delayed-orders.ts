import type { Clock } from '#server/platform/runtime/ports.ts'
import type { WaitingOrder } from '#server/trading/engine/order-queue.ts'

interface Held {
  readonly order: WaitingOrder
  isDue: boolean
  readonly cancel: () => void
}

/**
 * Keeps orders until the prices of their arrival time have come from the delayed feed. The orders of one user keep
 * their sequence. Otherwise a user who has since seen the price move could send another order that is accepted first.
 * That order could use up the money, the order limit or the client id of the delayed order, and so cancel it.
 */
export class DelayedOrders {
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

  /** Releases the order after `ms`, or after earlier orders of the same user if they are released later. */
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

  /** Releases all delayed orders now. */
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
