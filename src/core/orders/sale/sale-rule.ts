import type { SourceClass } from '#core/markets/source-class.ts'
import type { LogLine, PlacedLine } from '#core/markets/log-text.ts'
import type { Session } from '#core/markets/calendar/sessions.ts'
import type { BasisPoints, Money } from '#core/money/money.ts'
import { type Price, price } from '#core/money/price.ts'
import type { Direction } from '#core/orders/order.ts'
import { firstMissing, sourceLine } from '#core/orders/rules/source-line.ts'
import { type CourseRefusal, PriceCourse } from '#core/orders/sale/price-course.ts'
import { isSalePaused, type SalePause } from '#core/orders/sale/sale-pause.ts'
import {
  type Chances,
  chancesAtExpiry,
  paymentOfSale,
  type SalePayment,
  winChance,
} from '#core/orders/sale/sale-price.ts'
import type { SaleTerms } from '#core/orders/sale/sale-terms.ts'
import { UNIT } from '#core/orders/sale/whole-numbers.ts'
import { type Instant, instant, MINUTE_MS, SECOND_MS } from '#core/time/instant.ts'

/**
 * 1 s: a sale is carried out at the first tick whose source time is more than 1 s after the request. At the request,
 * neither the user nor the operator can know that tick.
 */
export const SALE_DELAY_MS = SECOND_MS
export const MAX_SALE_WAIT_MS = 15 * SECOND_MS
/** 5 s: a sale is not carried out at a tick that reached the log more than 5 s after its source time. */
const MAX_LATE_MS = 5 * SECOND_MS
/** 500 ms: how far the source's clock may be ahead of ours at the request. */
const CLOCK_TOLERANCE_MS = 500
/** Only orders with a duration of at least five minutes can be sold. */
export const MIN_SALE_LENGTH_MS = 5 * MINUTE_MS
export const MIN_SALE_AGE_MS = 10 * SECOND_MS
export const MIN_SALE_LEFT_MS = 30 * SECOND_MS
export const MAX_SALE_LEFT_MS = 60 * MINUTE_MS
/**
 * The chances to win, in percent, at which a sale is offered. Outside of this range, the distribution is not reliable.
 */
export const SALE_CHANCES = { min: 5, max: 95 } as const
/**
 * 22 minutes: how much of the log before a request is read. The marks need 20 minutes, and the first mark's price may
 * be one minute older.
 */
export const SALE_LOOK_MS = 22 * MINUTE_MS

/** The facts of an order that its sale depends on. The user is not one of them. */
export interface SaleOrder {
  readonly symbolId: number
  /** The source of the order's entry price. */
  readonly source: string
  readonly evidence: SourceClass
  readonly maxTickAgeMs: number
  readonly direction: Direction
  readonly stake: Money
  readonly payout: BasisPoints
  readonly entryPrice: Price
  readonly openedAt: Instant
  readonly expiresAt: Instant
}

/** An order, and the terms, session and pauses at the moment of a request to sell. */
export interface SaleMoment {
  readonly order: SaleOrder
  readonly requestedAt: Instant
  /** The terms in force at the request. */
  readonly terms: SaleTerms
  /** The session of the market at the request. */
  readonly session: Session
  /** The announced pauses of the symbol and of its market. */
  readonly pauses: readonly SalePause[]
}

export interface SaleRequest extends SaleMoment {
  /** The lowest amount that the user accepts. A sale that would pay less is not carried out. */
  readonly least: Money
  /**
   * The newest sequence number in the log when the request was stored. The sale needs a later tick, because ticks up to
   * this number were already known.
   */
  readonly headQ: number
}

/** The value of an order at a tick. */
export interface SaleValue {
  readonly tick: PlacedLine
  readonly movement: bigint
  readonly leftMs: number
  readonly chances: Chances
  readonly payment: SalePayment
}

/** Why an order cannot be sold at a moment. */
export type SaleRefusal = CourseRefusal | 'sale_not_now' | 'sale_pause' | 'sale_no_value' | 'price_stale'
/** Why a request ended without a sale. */
export type LapseReason = CourseRefusal | 'sale_no_price' | 'sale_pause' | 'sale_no_value' | 'sale_below_least'

export type SaleDecision =
  | { readonly kind: 'wait' }
  | { readonly kind: 'lapsed'; readonly reason: LapseReason }
  | ({ readonly kind: 'sold' } & SaleValue)

type Valued =
  | { readonly kind: 'refused'; readonly code: CourseRefusal | 'sale_pause' | 'sale_no_value' }
  | ({ readonly kind: 'value' } & SaleValue)

/** How long after a request, by source time, the tick of the sale can be, in milliseconds. */
function waitMs({ maxTickAgeMs }: SaleOrder): number {
  return SALE_DELAY_MS + Math.min(maxTickAgeMs, MAX_SALE_WAIT_MS)
}

/** The last moment at which the tick of a request can reach the log. */
export function lastReceipt({ order, requestedAt }: Pick<SaleRequest, 'order' | 'requestedAt'>): number {
  return requestedAt + waitMs(order) + MAX_LATE_MS
}

/** Whether an order can be sold at a moment by its age, its duration and the time left. */
export function isTimeToSell({ openedAt, expiresAt }: Pick<SaleOrder, 'openedAt' | 'expiresAt'>, at: Instant): boolean {
  const left = expiresAt - at
  const isLong = expiresAt - openedAt >= MIN_SALE_LENGTH_MS
  return isLong && at >= openedAt + MIN_SALE_AGE_MS && left >= MIN_SALE_LEFT_MS && left <= MAX_SALE_LEFT_MS
}

/**
 * Values an order at the newest tick, for a request at that moment. `lines` are the lines of the log about the symbol,
 * in order. The amount is only displayed: a sale is paid at the price of a later tick.
 */
export function valueNow(
  request: SaleMoment,
  lines: readonly LogLine[],
): Valued | { readonly kind: 'refused'; readonly code: SaleRefusal } {
  const { order, requestedAt } = request
  if (!isTimeToSell(order, requestedAt)) return { kind: 'refused', code: 'sale_not_now' }
  if (isSalePaused(request.pauses, requestedAt, order.expiresAt)) return { kind: 'refused', code: 'sale_pause' }
  const ticks = ticksOf(lines, order)
  const newest = ticks.at(-1)
  if (newest === undefined || !isFresh(newest, order, requestedAt)) return { kind: 'refused', code: 'price_stale' }
  return valueAt(request, ticks, newest)
}

function isFresh({ timeMs, receivedMs }: PlacedLine, { maxTickAgeMs }: SaleOrder, at: Instant): boolean {
  const age = at - timeMs
  return age <= maxTickAgeMs && age >= -CLOCK_TOLERANCE_MS && receivedMs - timeMs <= MAX_LATE_MS
}

/**
 * Decides a request from the log alone. The sale happens at the first tick of the order's source in the log with a
 * source time more than a second after the request. `lines` reach from `SALE_LOOK_MS` before the request to the end of
 * the log. `isOver`: no tick that reaches the log from now on can be in time.
 */
export function decideSale(request: SaleRequest, lines: readonly LogLine[], isOver: boolean): SaleDecision {
  const { order, requestedAt, least, headQ } = request
  const from = requestedAt + SALE_DELAY_MS
  const own = lines.filter((line) => isOfSource(line, order) && line.kind !== 'e')
  const at = own.findIndex((line) => line.kind === 't' && line.timeMs > from)
  const tick = own[at]
  if (tick?.kind !== 't') return isOver ? lapse('sale_no_price') : { kind: 'wait' }
  const until = own.slice(0, at + 1)
  const isInTime = tick.timeMs <= requestedAt + waitMs(order) && tick.receivedMs - tick.timeMs <= MAX_LATE_MS
  if (!isInTime || tick.q <= headQ || !isWithoutHole(until, tick, order)) return lapse('sale_no_price')
  const value = valueAt(request, ticksOf(until, order), tick)
  if (value.kind === 'refused') return lapse(value.code)
  return value.payment.paid < least ? lapse('sale_below_least') : { ...value, kind: 'sold' }
}

function lapse(reason: LapseReason): SaleDecision {
  return { kind: 'lapsed', reason }
}

function isOfSource(line: LogLine, { symbolId, source }: Pick<SaleOrder, 'symbolId' | 'source'>): boolean {
  return line.symbolId === symbolId && line.source === source
}

/** Late evidence is never a price of a sale. */
function ticksOf(lines: readonly LogLine[], order: SaleOrder): PlacedLine[] {
  return lines.filter((line): line is PlacedLine => line.kind === 't' && isOfSource(line, order))
}

/**
 * Whether the log accounts for every trade number between the previous tick and the tick of the sale. Otherwise the
 * operator could choose the tick by leaving out trades before it.
 */
function isWithoutHole(lines: readonly LogLine[], tick: PlacedLine, order: SaleOrder): boolean {
  if (order.evidence !== 'ids') return true
  const before = ticksOf(lines, order).at(-2)
  if (before === undefined || before.ref === null || tick.ref === null) return false
  return firstMissing(sourceLine(lines, order), before.ref, tick.ref) === null
}

/** Values an order at the last of these ticks. */
function valueAt(
  { order, terms, session, pauses }: SaleMoment,
  ticks: readonly PlacedLine[],
  tick: PlacedLine,
): Valued {
  if (isSalePaused(pauses, instant(tick.timeMs), order.expiresAt)) return { kind: 'refused', code: 'sale_pause' }
  const course = new PriceCourse({
    times: ticks.map(({ timeMs }) => instant(timeMs)),
    prices: ticks.map((line) => price(line.price)),
  })
  const look = course.lookAt(ticks.length - 1, session)
  if (look.kind === 'refused') return look
  const { movement } = look
  const leftMs = order.expiresAt - tick.timeMs
  const { entryPrice, direction } = order
  const chances = chancesAtExpiry({ price: price(tick.price), entryPrice, leftMs, movement, scale: terms.scale })
  const payment = paymentOfSale(chances, order, terms.fee)
  const percent = winChance(chances, direction) * 100n
  const isLikely = percent >= BigInt(SALE_CHANCES.min) * UNIT && percent <= BigInt(SALE_CHANCES.max) * UNIT
  if (!isLikely || payment.paid < 1n) return { kind: 'refused', code: 'sale_no_value' }
  return { kind: 'value', tick, movement, leftMs, chances, payment }
}
