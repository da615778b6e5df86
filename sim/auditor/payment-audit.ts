import type { Change } from '../memory-store/memory-transaction.ts'
import type { Row } from '../memory-store/specs.ts'
import { TWO_PEOPLE_ABOVE } from './site-terms.ts'
import type { Books } from './books.ts'
import { keyOf } from './order-audit.ts'
import { partOf } from './expected-results.ts'

const [DONE, WAITING, REFUSED] = [1, 2, 3]
const MILLION = 1_000_000n

export interface PaymentAuditParts {
  readonly complain: (what: string) => void
  readonly books: Books
}

/**
 * Checks deposits, withdrawals and adjustments: each is decided once, by an authorised person, and moves the right
 * money.
 */
export class PaymentAudit {
  readonly #parts: PaymentAuditParts
  /** Actions of staff by subject, in order. */
  readonly #acts = new Map<string, Row[]>()

  constructor(parts: PaymentAuditParts) {
    this.#parts = parts
  }

  acted(row: Row): void {
    const target = String(row['target'])
    const before = this.#acts.get(target)
    if (before === undefined) this.#acts.set(target, [row])
    else before.push(row)
    if (row['who'] === '' || row['staff_id'] === null) this.#parts.complain(`I12: nobody stands behind ${target}`)
  }

  deposit({ before, after }: Change): void {
    const { complain, books } = this.#parts
    if (after === null) return complain(`I10: a deposit is gone`)
    const key = keyOf(after)
    // Credits are rounded down.
    const credited = ((after['amount'] as bigint) * (after['rate_millionths'] as bigint)) / MILLION
    if (after['credited'] !== credited)
      complain(`I5: deposit ${key} credits ${String(after['credited'])}, not ${credited}`)
    const isAutomatic = before === null && after['status'] === DONE
    // A deposit that was seen still waits for its decision.
    if (before?.['status'] === WAITING && after['status'] === WAITING) return
    if (!isAutomatic && !this.#isStep(`deposit ${key}`, before, after)) return
    if (after['status'] === DONE) {
      books.move(String(after['user_id']), 'house', 'cash', credited)
      if (!isAutomatic) this.#decided(`deposit ${key}`, String(after['trx']), credited)
    } else if (after['status'] === REFUSED) this.#decided(`deposit ${key}`, String(after['trx']), 0n)
  }

  withdrawal({ before, after }: Change): void {
    const { complain, books } = this.#parts
    if (after === null) return complain(`I10: a withdrawal is gone`)
    const key = keyOf(after)
    const userId = String(after['user_id'])
    const amount = after['amount'] as bigint
    const charge = partOf(amount, 125n, 10_000n) + 31n
    if (after['paid_out'] !== amount - charge) complain(`I9: withdrawal ${key} pays out ${String(after['paid_out'])}`)
    // Neither an approval nor the start of a payment moves money.
    if (before !== null && before['status'] === WAITING && after['status'] === WAITING) return
    if (!this.#isStep(`withdrawal ${key}`, before, after)) return
    if (before === null) books.move(userId, 'cash', 'withdrawing', amount)
    else if (after['status'] === DONE) {
      books.move(userId, 'withdrawing', 'house', amount)
      this.#decided(`withdrawal ${key}`, String(after['trx']), amount)
    } else if (after['status'] === REFUSED) {
      books.move(userId, 'withdrawing', 'cash', amount)
      if (after['is_cancelled'] !== true) this.#decided(`withdrawal ${key}`, String(after['trx']), 0n)
    }
  }

  correction({ before, after }: Change): void {
    const { complain, books } = this.#parts
    if (after === null) return complain(`I10: a correction is gone`)
    const id = String(after['id'])
    if (before === null) {
      if (after['state'] !== 'waiting') complain(`I9: correction ${id} begins ${String(after['state'])}`)
      return
    }
    if (before['state'] !== 'waiting' || after['state'] === 'waiting') complain(`I9: correction ${id} is decided twice`)
    if (after['asked_by'] === after['decided_by'])
      complain(`I9: correction ${id} was asked for and decided by one person`)
    this.#decided(`correction ${id}`, id, 0n)
    const amount = after['amount'] as bigint
    if (after['state'] !== 'posted') return
    if (amount > 0n) books.move(String(after['user_id']), 'house', 'cash', amount)
    else books.move(String(after['user_id']), 'cash', 'house', -amount)
  }

  /** Whether this is a permitted change: a payment waits, is then decided, and never changes afterwards. */
  #isStep(what: string, before: Row | null, after: Row): boolean {
    if (before === null) {
      if (after['status'] !== WAITING) this.#parts.complain(`I9: ${what} begins as ${String(after['status'])}`)
      return after['status'] === WAITING
    }
    if (before['status'] === WAITING && after['status'] !== WAITING) return true
    this.#parts.complain(`I9: ${what} goes from ${String(before['status'])} to ${String(after['status'])}`)
    return false
  }

  #decided(what: string, target: string, amount: bigint): void {
    const acts = this.#acts.get(target) ?? []
    if (acts.length === 0) this.#parts.complain(`I12: ${what} was decided and nobody wrote it down`)
    const people = new Set(acts.map((act) => act['staff_id']))
    if (amount > TWO_PEOPLE_ABOVE && people.size < 2) this.#parts.complain(`I9: ${what} took one person only`)
  }
}
