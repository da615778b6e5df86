import type { SettledOrder } from '#server/platform/runtime/events.ts'

/** At least this many results are remembered, and at most twice as many. */
const GENERATION_SIZE = 10_000
/** Result numbers cached per user until confirmed. Older numbers are read from the database. */
const MAX_CACHED_NUMBERS = 100

/** Remembers recently sent results, to avoid sending one twice and to look up confirmed results without a query. */
export class DeliveredResults {
  #newest = new Set<string>()
  /** The previous generation, which is dropped as a whole. Deleting the first entry of one large set each time would be slow. */
  #older = new Set<string>()
  /** Keyed by user id, then by order id. */
  readonly #numbers = new Map<string, Map<string, number>>()

  add({ userId, orderId, resultNumber }: SettledOrder): void {
    this.#newest.add(orderId)
    if (this.#newest.size >= GENERATION_SIZE) {
      this.#older = this.#newest
      this.#newest = new Set()
    }
    if (resultNumber !== null) this.#keepNumber(userId, orderId, resultNumber)
  }

  has(orderId: string): boolean {
    return this.#newest.has(orderId) || this.#older.has(orderId)
  }

  /** Removes and returns the cached number of a user's result. Null when the database must be read. */
  takeNumber(userId: string, orderId: string): number | null {
    const own = this.#numbers.get(userId)
    const number = own?.get(orderId)
    if (own === undefined || number === undefined) return null
    own.delete(orderId)
    if (own.size === 0) this.#numbers.delete(userId)
    return number
  }

  /** Drops the numbers of a user without open sockets. */
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
    if (own.size > MAX_CACHED_NUMBERS && oldest !== undefined) own.delete(oldest)
  }
}
