import type { Change } from '../memory-store/memory-transaction.ts'
import type { Row, TableName } from '../memory-store/specs.ts'
import type { TradeSetting } from '#server/market-data/catalogue/market-catalogue.ts'
import { SOLD } from '#core/orders/order.ts'
import { Books } from './books.ts'
import { CapAudit } from './cap-audit.ts'
import { keyOf, OrderAudit } from './order-audit.ts'
import { PaymentAudit } from './payment-audit.ts'
import { LineAudit } from './line-audit.ts'
import { PriceLog } from './price-log.ts'
import { AcknowledgedRequests } from './acknowledged-requests.ts'
import { ResultAudit } from './result-audit.ts'
import { type AnnouncedSale, SaleAudit } from './sale-audit.ts'
import { SETTINGS } from './site-terms.ts'

export interface AuditorParts {
  readonly now: () => number
  /** Whether the auditor may see several commits together, because it polls the store. */
  readonly isPolled: boolean
  /** The version of the rules by which orders are accepted. */
  readonly rule: 1 | 2
  /** Returns the class of a source: whether its trades have numbers and a public record. */
  readonly classOf: (source: string) => string
  /** The trade settings (durations) that the site offers. Default: `SETTINGS`. */
  readonly settings?: readonly TradeSetting[]
  /**
   * The caps on the sum of the profits of all open orders in one direction, per symbol and for the whole site, in
   * cents. Default: none.
   */
  readonly caps?: { readonly symbol: number; readonly site: number } | null
  /** The announced terms for selling orders back. Default: none. */
  readonly saleTerms?: readonly AnnouncedSale[]
}

/** Tables whose rows are never changed or deleted. */
const APPEND_ONLY: readonly TableName[] = [
  'transfer',
  'order_history',
  'settlement_price',
  'decided_price',
  'tick_batch',
  'admin_action',
  'candle',
  'sale_request',
  'sale_end',
]
const NOTHING: readonly Change[] = []
/** How long after its expiry an order may stay open. */
const GRACE_MS = 15_000
const STREAM_PASSES_MS = 60_000
/** Results of the last 10 s before the end may not have been confirmed yet. */
const LAST_RESULTS_MS = 10_000
/** Maximum delay of the delivery of a result, and maximum delay between a commit and its observation by the auditor. */
const MAX_DELIVERY_MS = 5_000
const SEEN_WITHIN_MS = 5_000

/**
 * Observes every commit and every message between users, sources and servers. The auditor computes each expected
 * balance and result independently, and reports the first deviation.
 */
export class Auditor {
  readonly violations: string[] = []
  readonly log: PriceLog
  readonly lines: LineAudit
  readonly requests: AcknowledgedRequests
  readonly sales: SaleAudit
  readonly caps: CapAudit
  readonly #parts: AuditorParts
  readonly #books: Books
  readonly #orders: OrderAudit
  readonly #payments: PaymentAudit
  readonly #paymentRows = new Map<string, Row>()
  readonly #results: ResultAudit
  readonly #closed: { readonly userId: string; readonly orderId: string; readonly at: number }[] = []

  constructor(parts: AuditorParts) {
    const complain = (what: string) => void this.violations.push(what)
    this.#parts = parts
    this.lines = new LineAudit({ complain, ...parts })
    this.log = new PriceLog(complain, this.lines)
    this.requests = new AcknowledgedRequests(complain)
    this.#books = new Books(complain)
    const ordersOf = (userId: string, id: string) => this.requests.ordersOf(userId, id)
    const { rule, classOf, settings = SETTINGS, saleTerms = [] } = parts
    const { log, lines } = this
    this.#orders = new OrderAudit({ complain, log, lines, books: this.#books, ordersOf, rule, classOf, settings })
    this.sales = new SaleAudit({ complain, log, books: this.#books, terms: saleTerms })
    const { caps = null, now } = parts
    const [symbolCap, siteCap] = caps === null ? [null, null] : [BigInt(caps.symbol), BigInt(caps.site)]
    this.caps = new CapAudit({ complain, now, symbolCap, siteCap })
    this.#payments = new PaymentAudit({ complain, books: this.#books })
    this.#results = new ResultAudit(complain)
  }

  complain(what: string): void {
    this.violations.push(what)
  }

  /** Notes that a user has confirmed a result. */
  confirmed(orderId: string): void {
    this.#results.confirmed(orderId)
  }

  /** Checks that a user with an unbroken connection was sent every result. */
  checkAllDelivered(userId: string, since: number): void {
    const from = since + (this.#parts.isPolled ? SEEN_WITHIN_MS : 0)
    const until = this.#parts.now() - MAX_DELIVERY_MS
    for (const { userId: owner, orderId, at } of this.#closed) {
      if (owner !== userId || at <= from || at >= until || this.requests.isDelivered(orderId)) continue
      this.complain(`the result of ${orderId} was not told, and its owner was there all the time`)
    }
  }

  cashOf(userId: string): bigint {
    return this.#books.cashOf(userId)
  }

  /** Handles all changes of one commit. */
  observe(changes: readonly Change[]): void {
    const tables = new Map<TableName, Change[]>()
    for (const change of changes) {
      const own = tables.get(change.table)
      if (own === undefined) tables.set(change.table, [change])
      else own.push(change)
    }
    const of = (table: TableName): readonly Change[] => tables.get(table) ?? NOTHING
    for (const { table, before } of changes) {
      if (before !== null && APPEND_ONLY.includes(table)) this.complain(`I10: a row of ${table} has changed`)
    }
    for (const row of added(of('tick_batch')).toSorted((a, b) => Number(a['first_seq']) - Number(b['first_seq'])))
      this.log.add(row)
    for (const row of added(of('settlement_price'))) this.#orders.priced(row)
    for (const row of added(of('decided_price'))) this.#orders.priced(row)
    for (const row of added(of('admin_action'))) this.#payments.acted(row)
    for (const row of added(of('transfer'))) this.#books.transfer(row)
    this.#observeOrders(added(of('open_order')), added(of('order_history')), of('open_order'))
    this.#observeSales(of)
    this.#results.noteSettled(added(of('order_history')), this.#parts.now())
    for (const change of of('result_seen')) this.#results.seen(change)
    for (const change of of('deposit')) this.#payments.deposit(change)
    for (const change of of('withdrawal')) this.#payments.withdrawal(change)
    for (const change of of('correction')) this.#payments.correction(change)
    for (const { table, after } of changes) {
      if ((table === 'deposit' || table === 'withdrawal') && after) this.#paymentRows.set(String(after['trx']), after)
      if (table === 'balance' && after) this.#books.balance(after)
    }
    this.#orders.compare()
    this.#books.compare()
  }

  /** Notes the money that a user has before the simulation starts. */
  funded(userId: string, amount: bigint): void {
    this.#books.move(userId, 'house', 'cash', amount)
  }

  /** Final check after a quiet time: everything that was due is done, and every message was true. */
  finish(): void {
    this.finishOrders()
    this.#results.finish(this.#parts.now() - LAST_RESULTS_MS)
    for (const [trx, row] of this.#paymentRows)
      if (row['status'] === 2) this.complain(`the payment ${trx} was never decided`)
    const orders = [...this.#orders.openOrders.values(), ...this.#orders.settledOrders.values()]
    this.requests.check(orders, this.#paymentRows)
  }

  /** Does the part of the final check that concerns orders and their sales: no order and no sale request is overdue. */
  finishOrders(): void {
    for (const [key, row] of this.#orders.openOrders) {
      const isOver = Number(row['expires_ms']) + GRACE_MS < this.#parts.now()
      if (isOver && !this.#mayWait(row)) this.complain(`order ${key} should have been settled long ago`)
    }
    this.sales.finish(this.#parts.now(), this.#orders.openOrders)
  }

  /**
   * Under rule 2, an order waits for its source's record. Without a record, it waits at most a minute for the stream to
   * pass its expiry.
   */
  #mayWait(row: Row): boolean {
    const [expiresAt, symbolId] = [Number(row['expires_ms']), Number(row['symbol_id'])]
    if (row['evidence'] === 'ids') return this.lines.mayWait(String(row['entry_source']), symbolId, expiresAt)
    const isPassed = this.log.firstAfter(symbolId, expiresAt, this.log.lastSeq) !== null
    return row['evidence'] === 'none' && !isPassed && this.#parts.now() < expiresAt + STREAM_PASSES_MS + GRACE_MS
  }

  get settledCount(): number {
    return this.#orders.settledOrders.size
  }

  #observeOrders(opened: readonly Row[], closed: readonly Row[], open: readonly Change[]): void {
    // One commit may end orders and open others. Ended orders are handled first, because the commit frees their room
    // below the caps.
    for (const row of closed) this.caps.ended(row)
    for (const row of opened) {
      this.#orders.opened(row)
      this.caps.opened(row)
    }
    for (const row of closed) {
      if (row['result'] === SOLD) continue
      if (this.#parts.isPolled && !this.#orders.openOrders.has(keyOf(row))) this.#orders.opened(asOpened(row))
      this.#orders.closed(row)
      this.#closed.push({ userId: String(row['user_id']), orderId: String(row['id']), at: this.#parts.now() })
    }
    const settled = new Set(closed.map(keyOf))
    for (const change of open) {
      const { before, after } = change
      if (after === null && before !== null && !settled.has(keyOf(before)))
        this.complain(`I4: order ${keyOf(before)} is gone`)
      if (after !== null && before !== null && !this.sales.changed(change))
        this.complain(`I10: the open order ${keyOf(before)} has changed`)
    }
  }

  /**
   * Handles the changes of early sales in the order in which they depend on each other: requests, decisions about
   * requests, sold orders.
   */
  #observeSales(of: (table: TableName) => readonly Change[]): void {
    for (const { before, after } of of('open_order')) if (before !== null && after !== null) this.#orders.selling(after)
    const orderOf = (row: Row) => this.#orders.openOrders.get(`${String(row['user_id'])} ${String(row['order_id'])}`)
    for (const row of added(of('sale_request'))) this.sales.requested(row, orderOf(row))
    for (const row of added(of('sale_end'))) this.sales.decided(row, orderOf(row))
    for (const row of added(of('order_history'))) {
      if (row['result'] !== SOLD) continue
      const opened = this.#orders.ended(row)
      if (opened !== null) this.sales.sold(row, opened)
    }
  }
}

function added(changes: readonly Change[]): readonly Row[] {
  if (changes.length === 0) return []
  return changes.flatMap(({ before, after }) => (before === null && after !== null ? [after] : []))
}

const CLOSING = [
  'result',
  'result_amount',
  'balance_after',
  'exit_seq',
  'exit_price',
  'exit_time_ms',
  'void_reason',
  'settled_ms',
  'result_number',
]

/** The columns that a settled order had while it was open. */
function asOpened(row: Row): Row {
  return Object.fromEntries(Object.entries(row).filter(([column]) => !CLOSING.includes(column)))
}
