import type { Change } from '../memory-store/memory-transaction.ts'
import type { Row } from '../memory-store/specs.ts'

/** The results of one user: the order for each result number, and which results are marked as seen. */
interface Own {
  readonly orderIds: Map<bigint, string>
  readonly seen: Set<bigint>
}

/**
 * Checks that each result has the next result number of its user. Also checks that exactly the results confirmed by the
 * user are marked as seen.
 */
export class ResultAudit {
  readonly #complain: (what: string) => void
  readonly #byUser = new Map<string, Own>()
  readonly #confirmed = new Set<string>()
  readonly #settledAt = new Map<string, number>()

  constructor(complain: (what: string) => void) {
    this.#complain = complain
  }

  confirmed(orderId: string): void {
    this.#confirmed.add(orderId)
  }

  /** Notes the rows that one or more commits added to the history. */
  noteSettled(rows: readonly Row[], now: number): void {
    const touched = new Set<Own>()
    for (const row of rows) {
      this.#settledAt.set(String(row['id']), now)
      const own = this.#ownOf(row['user_id'])
      const number = row['result_number'] as bigint | null
      if (number === null) this.#complain(`the result of ${String(row['id'])} has no number`)
      else if (own.orderIds.has(number))
        this.#complain(`two results of ${String(row['user_id'])} have the number ${number}`)
      else own.orderIds.set(number, String(row['id']))
      touched.add(own)
    }
    for (const { orderIds } of touched) {
      const highest = [...orderIds.keys()].reduce((max, number) => (number > max ? number : max), 0n)
      if (highest !== BigInt(orderIds.size))
        this.#complain(`${orderIds.size} results of a user have numbers until ${highest}`)
    }
  }

  seen({ after }: Change): void {
    if (after === null) return this.#complain('what was seen is forgotten')
    const own = this.#ownOf(after['user_id'])
    const until = BigInt(String(after['until_number']))
    const laterNumbers = (after['beyond'] as readonly unknown[]).map((number) => BigInt(String(number)))
    const now = new Set(laterNumbers)
    for (let number = 1n; number <= until; number += 1n) now.add(number)
    for (const number of own.seen) {
      if (!now.has(number)) this.#complain(`the result of ${String(own.orderIds.get(number))} is not seen any more`)
    }
    for (const number of now) {
      if (own.seen.has(number)) continue
      own.seen.add(number)
      const orderId = own.orderIds.get(number)
      if (orderId === undefined || !this.#confirmed.has(orderId))
        this.#complain(`the result of ${String(orderId)} was dropped before anybody saw it`)
    }
  }

  /** Final check: by now every user has seen every result until `settledUntil`. */
  finish(settledUntil: number): void {
    for (const { orderIds, seen } of this.#byUser.values())
      for (const [number, orderId] of orderIds)
        if (!seen.has(number) && (this.#settledAt.get(orderId) ?? 0) <= settledUntil)
          this.#complain(`the result of ${orderId} still waits to be seen`)
  }

  #ownOf(userId: unknown): Own {
    const key = String(userId)
    const known = this.#byUser.get(key)
    if (known !== undefined) return known
    const own: Own = { orderIds: new Map(), seen: new Set() }
    this.#byUser.set(key, own)
    return own
  }
}
