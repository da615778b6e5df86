import type { Row } from '../memory-store/specs.ts'

/** The accounts that belong to a user. All other accounts belong to the house. */
const OWN = ['cash', 'staked', 'withdrawing', 'credits'] as const
type Own = (typeof OWN)[number]
type Place = Own | 'house'
type Book = Record<Own, bigint>

/**
 * Two independent computations of each balance: one from the transfers alone, one from the events (orders, payments,
 * adjustments). The stored balances must equal both after every commit.
 */
export class Books {
  readonly #complain: (what: string) => void
  readonly #byTransfers = new Map<string, Book>()
  readonly #byEvents = new Map<string, Book>()
  readonly #steps = new Set<string>()
  readonly #touched = new Set<string>()
  readonly #balances = new Map<string, Row>()

  constructor(complain: (what: string) => void) {
    this.#complain = complain
  }

  /** Notes an event that moves money. */
  move(userId: string, from: Place, to: Place, amount: bigint): void {
    shift(this.#bookOf(this.#byEvents, userId), from, to, amount)
    this.#touched.add(userId)
  }

  transfer(row: Row): void {
    const userId = String(row['user_id'])
    const key = `${userId} ${String(row['ref'])} ${String(row['step'])}`
    const amount = row['amount'] as bigint
    if (this.#steps.has(key)) this.#complain(`I4: the step ${key} is posted twice`)
    this.#steps.add(key)
    if (amount <= 0n) this.#complain(`I1: the transfer ${key} moves ${amount}`)
    shift(this.#bookOf(this.#byTransfers, userId), placeOf(row['from_account']), placeOf(row['to_account']), amount)
    this.#touched.add(userId)
  }

  balance(row: Row): void {
    this.#balances.set(String(row['user_id']), row)
    this.#touched.add(String(row['user_id']))
  }

  /** Compares the stored balances with both computations. Must be called after all changes of a commit are noted. */
  compare(): void {
    for (const userId of this.#touched) {
      const stored = this.#balances.get(userId)
      const [transfers, events] = [this.#bookOf(this.#byTransfers, userId), this.#bookOf(this.#byEvents, userId)]
      for (const account of OWN) {
        const storedSum = (stored?.[account] ?? 0n) as bigint
        if (storedSum !== transfers[account])
          this.#complain(`I2: ${account} of ${userId} is ${storedSum}, its transfers say ${transfers[account]}`)
        if (storedSum !== events[account])
          this.#complain(`I3: ${account} of ${userId} is ${storedSum}, it should be ${events[account]}`)
        if (storedSum < 0n) this.#complain(`I3: ${account} of ${userId} is ${storedSum}`)
      }
    }
    this.#touched.clear()
  }

  cashOf(userId: string): bigint {
    return this.#bookOf(this.#byEvents, userId).cash
  }

  #bookOf(books: Map<string, Book>, userId: string): Book {
    let book = books.get(userId)
    if (book === undefined) {
      book = { cash: 0n, staked: 0n, withdrawing: 0n, credits: 0n }
      books.set(userId, book)
    }
    return book
  }
}

function shift(book: Book, from: Place, to: Place, amount: bigint): void {
  if (from !== 'house') book[from] -= amount
  if (to !== 'house') book[to] += amount
}

function placeOf(account: unknown): Place {
  const own = OWN.find((one) => one === account)
  return own ?? 'house'
}
