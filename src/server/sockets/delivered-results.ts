import type { SettledOrder } from '#server/platform/runtime/events.ts'

/** So many are kept for certain, and at most twice as many. */
const MOST_TOLD = 10_000
/** Numbers of a user's results that are kept until the user has seen them: what is older has to be looked up. */
const MOST_NUMBERS = 100

/** What was told of late: so that nothing is told twice for no reason, and what a user has seen need not be looked up. */
export class ToldResults {
  #told = new Set<string>()
  /** Those before them. All at once are forgotten: a set whose first one goes again and again is slow to say which is first. */
  #toldBefore = new Set<string>()
  /** By user and order. */
  readonly #numbers = new Map<string, Map<string, number>>()

  add({ userId, orderId, resultNumber }: SettledOrder): void {
    this.#told.add(orderId)
    if (this.#told.size >= MOST_TOLD) {
      this.#toldBefore = this.#told
      this.#told = new Set()
    }
    if (resultNumber !== null) this.#keepNumber(userId, orderId, resultNumber)
  }

  has(orderId: string): boolean {
    return this.#told.has(orderId) || this.#toldBefore.has(orderId)
  }

  /** The number of a result of this user, which is not kept any longer; null when it has to be looked up. */
  takeNumber(userId: string, orderId: string): number | null {
    const own = this.#numbers.get(userId)
    const number = own?.get(orderId)
    if (own === undefined || number === undefined) return null
    own.delete(orderId)
    if (own.size === 0) this.#numbers.delete(userId)
    return number
  }

  /** Nobody of this user is here any more. */
  leave(userId: string): void {
    this.#numbers.delete(userId)
  }

  #keepNumber(userId: string, orderId: string, number: number): void {
    const own = this.#numbers.get(userId)
    if (own === undefined) {
      this.#numbers.set(userId, new Map([[orderId, number]]))
      return
    }
    own.set(orderId, number)
    const [oldest] = own.keys()
    if (own.size > MOST_NUMBERS && oldest !== undefined) own.delete(oldest)
  }
}
