import { textOf } from '../memory-store/cells.ts'
import type { Row } from '../memory-store/specs.ts'
import type { TradeSetting } from '#server/market-data/catalogue/market-catalogue.ts'
import { ageOf } from './site-terms.ts'
import type { Books } from './books.ts'
import { outcomeOf } from './expected-results.ts'
import type { LineAudit } from './line-audit.ts'
import type { LoggedTick, PriceLog } from './price-log.ts'

const PASSES_WITHIN_MS = 60_000
const MAX_OPEN_ORDERS = 8
const MAX_CLOCK_SKEW_MS = 5_000

export interface OrderAuditParts {
  readonly complain: (what: string) => void
  readonly log: PriceLog
  readonly books: Books
  readonly lines: Pick<LineAudit, 'decided'>
  readonly rule: 1 | 2
  /** Returns the class of a source: whether its trades have numbers and a public record. */
  readonly classOf: (source: string) => string
  /** The trade settings (durations) that the site offers. */
  readonly settings: readonly TradeSetting[]
  /** The requests of a user with this client id; empty without any. */
  readonly ordersOf: (userId: string, clientOrderId: string) => readonly RequestedOrder[]
}

export interface RequestedOrder {
  readonly direction: number
  readonly stake: bigint
  readonly settingId: number
  readonly symbolId: number
  /** The maximum distance of the entry from the shown price, in price units. */
  readonly guard: { readonly shown: number; readonly maxDistance: number } | null
}

/** Checks each order from stored rows alone: correctly opened and priced, and settled once with the right result. */
export class OrderAudit {
  readonly #parts: OrderAuditParts
  readonly #open = new Map<string, Row>()
  readonly #settled = new Map<string, Row>()
  readonly #prices = new Map<string, Row>()
  readonly #openCount = new Map<string, number>()

  constructor(parts: OrderAuditParts) {
    this.#parts = parts
  }

  get openOrders(): ReadonlyMap<string, Row> {
    return this.#open
  }

  get settledOrders(): ReadonlyMap<string, Row> {
    return this.#settled
  }

  /**
   * Notes the settlement price of an expiry: under rule 1 for all its orders, under rule 2 for the orders of one
   * source.
   */
  priced(row: Row): void {
    const [symbolId, expiresAt] = [num(row, 'symbol_id'), num(row, 'expires_ms')]
    const key = priceKey(row, row['source'] === undefined ? '' : textOf(row, 'source'))
    if (this.#prices.has(key)) this.#complain(`I8: the price of ${key} is written twice`)
    this.#prices.set(key, row)
    const { log, lines } = this.#parts
    if (row['evidence'] === 'ids') return lines.decided(row)
    const head = num(row, 'head_seq')
    const last = log.lastUntil(symbolId, expiresAt, head)
    const next = log.firstAfter(symbolId, expiresAt, head)
    const maxAge = ageOf(symbolId)
    const deadline = expiresAt + PASSES_WITHIN_MS
    const decidedAt = num(row, 'decided_ms')
    const watermark = num(row, 'watermark_ms')
    const byTick = next !== null && next.receivedAt <= deadline
    const byWord = watermark > expiresAt && decidedAt <= deadline
    const what = `the price of ${key}`
    if (head > log.lastSeq) this.#complain(`I6: ${what} was decided on ticks that are not in the log`)
    if (numOrNull(row, 'next_seq') !== (next?.seq ?? null))
      this.#complain(`I6: ${what} names another next tick than the log`)
    if (watermark > log.newestSaid(symbolId)) this.#complain(`I6: ${what} has a watermark that nobody spoke of`)
    if (row['void_reason'] === null) {
      if (last === null || num(row, 'exit_seq') !== last.seq || num(row, 'exit_price') !== last.units)
        this.#complain(`I6: ${what} is ${String(row['exit_seq'])}, the log says ${last?.seq ?? 'none'}`)
      else if (last.time < expiresAt - maxAge) this.#complain(`I6: ${what} is older than a price may be`)
      if (!byTick && !byWord) this.#complain(`I6: ${what} was decided before the stream had passed the expiry`)
      log.settled(symbolId, expiresAt)
    } else if (row['void_reason'] === 'no_tick_before_expiry') {
      if (last !== null && last.time >= expiresAt - maxAge) this.#complain(`I5: ${what} is void though there is one`)
      if (!byTick && !byWord) this.#complain(`I6: ${what} was found missing before the stream had passed the expiry`)
      log.settled(symbolId, expiresAt)
    } else if (byTick || decidedAt <= deadline) this.#complain(`I5: ${what} is void though the stream passed in time`)
    if (num(row, 'max_tick_age_ms') !== maxAge) this.#complain(`I5: ${what} was judged by another age`)
  }

  opened(row: Row): void {
    const key = keyOf(row)
    if (this.#open.has(key) || this.#settled.has(key)) this.#complain(`I4: order ${key} is opened twice`)
    this.#open.set(key, row)
    const { log, books, ordersOf, settings } = this.#parts
    const symbolId = num(row, 'symbol_id')
    const head = num(row, 'head_seq')
    const entry = log.lastUntil(symbolId, Number.MAX_SAFE_INTEGER, head)
    const openedAt = num(row, 'opened_ms')
    const setting = settings.find(({ id }) => id === row['trade_setting_id'])
    const stake = big(row, 'stake')
    if (head > log.lastSeq) this.#complain(`I6: order ${key} knows more of the log than there is`)
    if (
      entry === null ||
      num(row, 'entry_seq') !== entry.seq ||
      num(row, 'entry_price') !== entry.units ||
      num(row, 'entry_time_ms') !== entry.time
    )
      this.#complain(
        `I6: order ${key} starts from ${String(row['entry_seq'])}, the newest price was ${entry?.seq ?? 'none'}`,
      )
    else {
      if (openedAt - entry.time > ageOf(symbolId)) this.#complain(`I6: order ${key} was taken on a stale price`)
      if (entry.time > openedAt + MAX_CLOCK_SKEW_MS)
        this.#complain(`I6: order ${key} was taken on a price of the future`)
    }
    if (
      setting === undefined ||
      num(row, 'expires_ms') !== openedAt + setting.seconds * 1_000 ||
      num(row, 'profit_basis_points') !== setting.payout
    )
      this.#complain(`I5: order ${key} has other terms than were on offer`)
    else if (stake < setting.minimum || stake > setting.maximum)
      this.#complain(`I11: the stake of order ${key} is ${stake}`)
    const wanted = ordersOf(String(row['user_id']), String(row['client_order_id'])).find((one) => {
      const isSame = one.direction === row['direction'] && one.stake === stake && one.symbolId === symbolId
      return isSame && one.settingId === row['trade_setting_id']
    })
    if (wanted === undefined) this.#complain(`I7: nobody asked for order ${key}`)
    else if (wanted.guard && entry && Math.abs(entry.units - wanted.guard.shown) > wanted.guard.maxDistance)
      this.#complain(`I5: order ${key} has another entry than its user agreed to`)
    this.#checkGroup(row, key, entry)
    const userId = String(row['user_id'])
    this.#openCount.set(userId, (this.#openCount.get(userId) ?? 0) + 1)
    books.move(userId, 'cash', 'staked', stake)
  }

  /** Checks that the order's row names its rule, and the source and number of its entry. */
  #checkGroup(row: Row, key: string, entry: LoggedTick | null): void {
    const { rule, classOf } = this.#parts
    const source = textOf(row, 'entry_source')
    const evidence = rule === 1 ? null : classOf(source)
    const isRight =
      row['rule_version'] === rule &&
      source === entry?.source &&
      row['evidence'] === evidence &&
      (row['entry_ref'] === null ? null : num(row, 'entry_ref')) === entry.ref &&
      num(row, 'max_tick_age_ms') === ageOf(num(row, 'symbol_id'))
    if (!isRight) this.#complain(`I13: order ${key} keeps another rule, source or number than it began with`)
  }

  /** Notes that an order has ended, and returns the row of the order while it was open. Null when it was not open. */
  ended(row: Row): Row | null {
    const key = keyOf(row)
    if (this.#settled.has(key)) this.#complain(`I4: order ${key} ends twice`)
    const opened = this.#open.get(key)
    if (opened === undefined) {
      if (!this.#settled.has(key)) this.#complain(`I4: order ${key} ends and was never open`)
      return null
    }
    this.#open.delete(key)
    this.#settled.set(key, row)
    const { selling: _, ...kept } = opened
    for (const [column, value] of Object.entries(kept)) {
      if (row[column] !== value) this.#complain(`I10: ${column} of order ${key} has changed`)
    }
    const userId = String(row['user_id'])
    this.#openCount.set(userId, (this.#openCount.get(userId) ?? 0) - 1)
    return opened
  }

  /** Notes that a request to sell an open order begins or ends. */
  selling(row: Row): void {
    if (this.#open.has(keyOf(row))) this.#open.set(keyOf(row), row)
  }

  /** Checks an order that was settled at its expiry. */
  closed(row: Row): void {
    const key = keyOf(row)
    const opened = this.ended(row)
    if (opened === null) return
    if (typeof opened['selling'] === 'number') this.#complain(`I4: order ${key} is settled while it is being sold`)
    const price = this.#prices.get(priceKey(row, row['rule_version'] === 1 ? '' : textOf(row, 'entry_source')))
    if (price === undefined) return this.#complain(`I8: order ${key} is settled without a price`)
    for (const column of ['exit_seq', 'exit_price', 'exit_time_ms', 'void_reason']) {
      if (row[column] !== price[column]) this.#complain(`I8: order ${key} has another ${column} than its expiry`)
    }
    const stake = big(row, 'stake')
    const own = outcomeOf(
      {
        isBuy: row['direction'] === 1,
        stake,
        payoutBasisPoints: BigInt(num(row, 'profit_basis_points')),
        entry: big(row, 'entry_price'),
      },
      price['exit_price'] === null ? null : big(price, 'exit_price'),
    )
    if (row['result'] !== own.result || big(row, 'result_amount') !== own.netChange)
      this.#complain(
        `I5: order ${key} is ${String(row['result'])} for ${String(row['result_amount'])}, not ${own.result} for ${own.netChange}`,
      )
    const userId = String(row['user_id'])
    const { books } = this.#parts
    books.move(userId, 'staked', own.credit > 0n ? 'cash' : 'house', stake)
    if (own.profit > 0n) books.move(userId, 'house', 'cash', own.profit)
  }

  /**
   * Checks that no user has more open orders than permitted. Must be called after all changes of a commit are noted.
   */
  compare(): void {
    for (const [userId, count] of this.#openCount) {
      if (count > MAX_OPEN_ORDERS) this.#complain(`I11: ${userId} has ${count} open orders`)
    }
  }

  #complain(what: string): void {
    this.#parts.complain(what)
  }
}

/** Under rule 1 (`source` is empty) all orders of an expiry share a price. */
function priceKey(row: Row, source: string): string {
  return `${String(row['symbol_id'])} ${String(row['expires_ms'])} ${source}`
}

export function keyOf(row: Row): string {
  return `${String(row['user_id'])} ${String(row['id'])}`
}

function num(row: Row, column: string): number {
  return Number(row[column])
}

function numOrNull(row: Row, column: string): number | null {
  return row[column] === null ? null : Number(row[column])
}

function big(row: Row, column: string): bigint {
  return row[column] as bigint
}
