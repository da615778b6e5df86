import type { OwnTrade } from '#contract/trades.ts'
import type { AccountName } from '#core/accounts/practice.ts'
import type { Placement } from '#web/live/placed-order.ts'
import type { PendingOrder, PendingOrders } from '#web/live/pending-orders.ts'
import { fromOwnTrade } from '#web/live/placed-order.ts'

/** 2: an order counts as not placed when it was absent from the loaded list of orders this many times. */
const MISSING_TIMES = 2

interface OrderLookUpsOptions {
  readonly pending: PendingOrders
  /** Loads the user's orders of an account, newest first. */
  readonly askRecent: (account: AccountName) => Promise<readonly OwnTrade[]>
  readonly answer: (clientOrderId: string, placement: Placement) => void
  readonly now: () => number
  readonly resendForMs: number
  readonly askEveryMs: number
}

/** Finds the user's overdue orders in the list of orders, at an interval while the user has pending orders. */
export class OrderLookUps {
  readonly #options: OrderLookUpsOptions
  /** How often each order was absent from the list. */
  readonly #missing = new Map<string, number>()
  #timer: ReturnType<typeof setInterval> | undefined

  constructor(options: OrderLookUpsOptions) {
    this.#options = options
    options.pending.store.subscribe(() => this.repeat())
    this.repeat()
  }

  forget(clientOrderId: string): void {
    this.#missing.delete(clientOrderId)
  }

  /** Starts the interval if the user has a pending order, and stops it otherwise. */
  repeat(): void {
    const { pending, askEveryMs, resendForMs } = this.#options
    if (pending.own.length === 0) this.stop()
    else this.#timer ??= setInterval(() => this.look(), Math.min(askEveryMs, resendForMs))
  }

  /** Continues with the orders of a user who has just logged in. */
  resume(): void {
    this.repeat()
    this.look()
  }

  /** Looks the overdue orders up now. The next look-up follows after a whole interval. */
  restart(): void {
    this.stop()
    this.repeat()
    this.look()
  }

  stop(): void {
    clearInterval(this.#timer)
    this.#timer = undefined
  }

  look(): void {
    const { pending, now, resendForMs } = this.#options
    pending.markOverdue(now() - resendForMs)
    const accounts = new Set(pending.own.filter((order) => order.isOverdue).map(accountOf))
    for (const account of accounts) void this.#run(account)
  }

  async #run(account: AccountName): Promise<void> {
    const { pending, askRecent, answer } = this.#options
    // An order that becomes overdue during the request may be newer than the list, so its absence does not count.
    const overdue = pending.own.filter((order) => order.isOverdue && accountOf(order) === account)
    const searched = new Set(overdue.map(({ clientOrderId }) => clientOrderId))
    let trades: readonly OwnTrade[]
    try {
      trades = await askRecent(account)
    } catch {
      return // No reply from the network: the look-up is repeated, and the screen shows that the order is pending.
    }
    for (const { clientOrderId, refusal } of pending.own) {
      if (!searched.has(clientOrderId)) continue
      const found = trades.find((trade) => trade.clientOrderId === clientOrderId)
      if (found) {
        answer(clientOrderId, { kind: 'accepted', order: fromOwnTrade(found), balance: null, account })
        continue
      }
      const times = (this.#missing.get(clientOrderId) ?? 0) + 1
      this.#missing.set(clientOrderId, times)
      if (times < MISSING_TIMES) continue
      answer(clientOrderId, { kind: 'refused', ...(refusal ?? { code: 'not_taken', message: '' }) })
    }
  }
}

function accountOf({ request }: PendingOrder): AccountName {
  return request.account ?? 'live'
}
