import type { Change } from '../memory-store/memory-transaction.ts'
import { textOf } from '../memory-store/cells.ts'
import type { Row } from '../memory-store/specs.ts'
import type { Books } from './books.ts'
import type { PriceLog } from './price-log.ts'
import { type ExpectedSale, expectedEnd, maxWaitMs, type SoldFacts } from './sale-rules.ts'

/** Terms of sale that the simulated site has announced. */
export interface AnnouncedSale {
  readonly n: number
  readonly appliesAt: number
  readonly scale: number
  readonly fee: number
}

export interface SaleAuditParts {
  readonly complain: (what: string) => void
  readonly log: PriceLog
  readonly books: Books
  readonly terms: readonly AnnouncedSale[]
}

/** 60 s: maximum time from the last tick of a request to its decision. */
const DECIDED_WITHIN_MS = 60_000
const MAX_LATE_MS = 5_000
const SECOND = 1_000

/**
 * Checks early sales from stored rows and the tick log alone: the time of the request, its tick and its amount. Each
 * request must end once.
 */
export class SaleAudit {
  readonly #parts: SaleAuditParts
  readonly #requests = new Map<string, Row>()
  readonly #undecided = new Map<string, Row>()
  readonly #ends = new Map<string, Row>()
  readonly #confirmed: { readonly orderId: string; readonly clientSaleId: string }[] = []
  #soldCount = 0

  constructor(parts: SaleAuditParts) {
    this.#parts = parts
  }

  get soldCount(): number {
    return this.#soldCount
  }

  /** Notes that the server confirmed a request to its user. */
  confirmed(orderId: string, clientSaleId: string): void {
    this.#confirmed.push({ orderId, clientSaleId })
  }

  requested(row: Row, order: Row | undefined): void {
    const key = keyOf(row)
    const complain = (what: string) => this.#complain(`I14: the request ${key} ${what}`)
    const orderId = textOf(row, 'order_id')
    this.#requests.set(key, row)
    if (order === undefined || order['user_id'] !== row['user_id']) return complain('is of no open order of its user')
    if (this.#undecided.has(orderId)) complain('comes while another one is undecided')
    this.#undecided.set(orderId, row)
    const at = Number(row['requested_ms'])
    const [opened, expires] = [Number(order['opened_ms']), Number(order['expires_ms'])]
    if (expires - opened < 300 * SECOND || at < opened + 10 * SECOND) complain('comes too early')
    if (expires - at < 30 * SECOND || expires - at > 3_600 * SECOND) complain('comes at a wrong time before the expiry')
    if (Number(row['terms_n']) !== this.#termsAt(at)?.n) complain('has other terms than were in force')
    if (Number(row['head_seq']) > this.#parts.log.lastSeq) complain('knows more of the log than there is')
    const known = this.#ticksOf(order).find(({ seq, time }) => seq <= Number(row['head_seq']) && time > at + SECOND)
    if (known !== undefined) complain('was stored when its price was known')
  }

  decided(row: Row, order: Row | undefined): void {
    const key = keyOf(row)
    const request = this.#requests.get(key)
    if (this.#ends.has(key)) return this.#complain(`I14: the request ${key} is decided twice`)
    this.#ends.set(key, row)
    if (request === undefined || order === undefined) return this.#complain(`I14: ${key} ends and was no open request`)
    this.#undecided.delete(textOf(row, 'order_id'))
    const head = Number(row['head_seq'])
    const end = this.#expected(request, order, head)
    if (head > this.#parts.log.lastSeq) this.#complain(`I14: ${key} is decided on more of the log than there is`)
    const reason = row['reason'] === null ? 'sold' : textOf(row, 'reason')
    const rightReason = end.kind === 'sold' ? 'sold' : end.kind === 'lapsed' ? end.reason : 'sale_no_price'
    if (reason !== rightReason) return this.#complain(`I14: ${key} is ${reason}, the log says ${rightReason}`)
    const isOver = Number(row['decided_ms']) > lastReceipt(request, order)
    if (end.kind === 'nothing' && !isOver) this.#complain(`I14: ${key} lapsed before its tick could be missed`)
    if (end.kind === 'sold') this.#checkValue(key, row, end.sale)
  }

  /** Checks an order that was moved to the history because it was sold. Must be called after the sale has ended. */
  sold(row: Row, order: Row): void {
    const orderId = textOf(row, 'id')
    const [end, ...more] = [...this.#ends.values()].filter(
      (one) => textOf(one, 'order_id') === orderId && one['reason'] === null,
    )
    if (end === undefined || more.length > 0)
      return this.#complain(`I14: ${orderId} is sold by ${more.length} requests`)
    const request = this.#requests.get(keyOf(end))
    if (request === undefined) return
    const expected = this.#expected(request, order, Number(end['head_seq']))
    if (expected.kind !== 'sold') return
    const { tick, gross, fee, paid, leftMs } = expected.sale
    const stake = order['stake'] as bigint
    if (leftMs <= 0) this.#complain(`I14: ${orderId} is sold after its expiry`)
    const isRight =
      row['result_amount'] === paid - stake &&
      Number(row['exit_seq']) === tick.seq &&
      Number(row['exit_price']) === tick.units &&
      Number(row['exit_time_ms']) === tick.time
    if (!isRight) this.#complain(`I14: ${orderId} is in the history with another sale`)
    const userId = textOf(row, 'user_id')
    const { books } = this.#parts
    books.move(userId, 'staked', 'house', stake)
    books.move(userId, 'house', 'cash', gross)
    books.move(userId, 'cash', 'house', fee)
    this.#soldCount += 1
  }

  /** Checks a change of an open order: only its sale request may begin or end. */
  changed({ before, after }: Change): boolean {
    if (before === null || after === null) return false
    return Object.keys(after).every((column) => column === 'selling' || after[column] === before[column])
  }

  /** The final check: every request is decided, and every confirmed request exists. */
  finish(now: number, orders: ReadonlyMap<string, Row>): void {
    for (const row of this.#undecided.values()) {
      const order = [...orders.values()].find((one) => one['id'] === row['order_id'])
      if (order !== undefined && lastReceipt(row, order) + DECIDED_WITHIN_MS < now)
        this.#complain(`I14: the request ${keyOf(row)} should have been decided long ago`)
    }
    const stored = new Set([...this.#requests.values()].map((row) => nameOf(row)))
    for (const { orderId, clientSaleId } of this.#confirmed) {
      if (!stored.has(`${orderId} ${clientSaleId}`))
        this.#complain(`I7: the request ${clientSaleId} of ${orderId} was confirmed and is not there`)
    }
  }

  #checkValue(key: string, row: Row, { tick, movement, leftMs, win, same, gross, fee, paid }: ExpectedSale): void {
    if (Number(row['tick_seq']) !== tick.seq)
      this.#complain(`I14: ${key} is sold at ${String(row['tick_seq'])}, the first tick after a second is ${tick.seq}`)
    const values = { movement: BigInt(textOf(row, 'movement')), left_ms: BigInt(leftMs), win, same, gross, fee, paid }
    const right = { ...values, movement }
    for (const [column, value] of Object.entries(right)) {
      if (BigInt(textOf(row, column)) !== value)
        this.#complain(`I14: ${column} of ${key} is ${textOf(row, column)}, the rules say ${value}`)
    }
  }

  #expected(request: Row, order: Row, head: number) {
    const terms = this.#termsAt(Number(request['requested_ms']))
    const demand = {
      at: Number(request['requested_ms']),
      least: request['least'] as bigint,
      headSeq: Number(request['head_seq']),
      scale: BigInt(terms?.scale ?? 0),
      fee: BigInt(terms?.fee ?? 0),
    }
    const ticks = this.#ticksOf(order).filter(({ seq }) => seq <= head)
    return expectedEnd(factsOf(order), demand, ticks)
  }

  #termsAt(at: number): AnnouncedSale | undefined {
    return this.#parts.terms.findLast(({ appliesAt }) => appliesAt <= at)
  }

  #ticksOf(order: Row) {
    const source = textOf(order, 'entry_source')
    return this.#parts.log.ticksOf(Number(order['symbol_id'])).filter((tick) => tick.source === source)
  }

  #complain(what: string): void {
    this.#parts.complain(what)
  }
}

function factsOf(order: Row): SoldFacts {
  return {
    isBuy: order['direction'] === 1,
    stake: order['stake'] as bigint,
    payout: BigInt(Number(order['profit_basis_points'])),
    entry: order['entry_price'] as bigint,
    expiresAt: Number(order['expires_ms']),
    maxAgeMs: Number(order['max_tick_age_ms']),
  }
}

function lastReceipt(request: Row, order: Row): number {
  return Number(request['requested_ms']) + maxWaitMs(factsOf(order)) + MAX_LATE_MS
}

function keyOf(row: Row): string {
  return `${textOf(row, 'order_id')} ${textOf(row, 'n')}`
}

function nameOf(row: Row): string {
  return `${textOf(row, 'order_id')} ${textOf(row, 'client_sale_id')}`
}
