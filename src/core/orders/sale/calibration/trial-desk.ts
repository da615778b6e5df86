import { type BasisPoints, basisPoints, money } from '#core/money/money.ts'
import type { Price } from '#core/money/price.ts'
import { BUY } from '#core/orders/order.ts'
import type { TrialOrder } from '#core/orders/sale/calibration/trial-order.ts'
import { MOVE_MS } from '#core/orders/sale/movement.ts'
import type { PriceCourse } from '#core/orders/sale/price-course.ts'
import {
  MAX_SALE_LEFT_MS,
  MAX_SALE_WAIT_MS,
  MIN_SALE_AGE_MS,
  MIN_SALE_LEFT_MS,
  SALE_CHANCES,
  SALE_DELAY_MS,
} from '#core/orders/sale/sale-rule.ts'
import { chancesAtExpiry, paymentOfSale, winChance } from '#core/orders/sale/sale-price.ts'
import { UNIT } from '#core/orders/sale/whole-numbers.ts'
import type { Instant } from '#core/time/instant.ts'

/** The amount of a sale at a tick, before the fee. */
export interface TrialQuote {
  readonly index: number
  /** The chance that the order wins, 0 to 1. */
  readonly win: number
  /** The amount of the sale in percent of the stake. */
  readonly gross: number
}

export interface DeskTerms {
  readonly scale: number
  readonly payout: BasisPoints
  readonly maxTickAgeMs: number
}

/** 1,000,000.00: with so large a stake, rounding to cents does not change the percentages. */
const STAKE = money(100_000_000)
const NO_FEE = basisPoints(0)
const REFUSED = -1

/**
 * Sells trial orders on the recorded days by the rule of sales. Shown amounts are computed with floats, because sellers
 * look at millions of ticks. Amounts of sales are computed with whole numbers, as the rule of sales requires.
 */
export class TrialDesk {
  readonly course: PriceCourse
  readonly #terms: DeskTerms
  /** Movement at each tick; `REFUSED` where no sale is offered, NaN where it is not computed yet. */
  readonly #movements: Float64Array

  constructor(course: PriceCourse, terms: DeskTerms) {
    this.course = course
    this.#terms = terms
    this.#movements = new Float64Array(course.times.length).fill(Number.NaN)
  }

  /** First and last moment at which the order can be sold. */
  window({ openedMs, expiresMs }: TrialOrder): { readonly from: number; readonly to: number } {
    return {
      from: Math.max(openedMs + MIN_SALE_AGE_MS, expiresMs - MAX_SALE_LEFT_MS),
      to: expiresMs - MIN_SALE_LEFT_MS,
    }
  }

  /** The movement at a tick, or null when no sale is offered there. */
  movementAt(order: TrialOrder, index: number): number | null {
    let movement = this.#movements[index] as number
    if (Number.isNaN(movement)) {
      const look = this.course.lookAt(index, order.session)
      movement = look.kind === 'calm' ? Number(look.movement) : REFUSED
      this.#movements[index] = movement
    }
    return movement === REFUSED ? null : movement
  }

  /** Returns the amount that a seller is shown at a tick, or null when no sale is offered there. */
  shownAt(order: TrialOrder, index: number): TrialQuote | null {
    const movement = index < 0 ? null : this.movementAt(order, index)
    return movement === null ? null : this.valueAt(order, index, movement)
  }

  /** Values the order at a tick with a given movement. Returns null when the chance is outside of 5 to 95 %. */
  valueAt(order: TrialOrder, index: number, movement: number): TrialQuote | null {
    const leftMs = order.expiresMs - (this.course.times[index] as Instant)
    if (leftMs <= 0) return null
    const { entryPrice, direction } = order
    const price = this.course.prices[index] as Price
    const deviation = (price * Math.sqrt((movement * leftMs) / Number(MOVE_MS)) * this.#terms.scale) / 1e11
    const below = shareBelow((entryPrice - 0.5 - price) / deviation)
    const notAbove = shareBelow((entryPrice + 0.5 - price) / deviation)
    const win = direction === BUY ? 1 - notAbove : below
    if (!isInRange(win)) return null
    return { index, win, gross: (100 + this.#terms.payout / 100) * win + 100 * (notAbove - below) }
  }

  /** Carries out a request at the first tick more than a second later, if a sale is offered at both times. */
  request(order: TrialOrder, requestMs: number): TrialQuote | null {
    const { course } = this
    const shown = course.indexAt(requestMs)
    if (shown < 0 || requestMs - (course.times[shown] as Instant) > this.#terms.maxTickAgeMs) return null
    if (this.shownAt(order, shown) === null) return null
    const index = course.indexAt(requestMs + SALE_DELAY_MS) + 1
    const wait = Math.min(this.#terms.maxTickAgeMs, MAX_SALE_WAIT_MS)
    if ((course.times[index] ?? Infinity) > requestMs + SALE_DELAY_MS + wait) return null
    return this.#carryOut(order, index)
  }

  /** Returns the payment of the order at its expiry, in percent of the stake. */
  paidWhenKept({ direction, entryPrice, exitPrice }: TrialOrder): number {
    if (exitPrice === entryPrice) return 100
    return exitPrice > entryPrice === (direction === BUY) ? 100 + this.#terms.payout / 100 : 0
  }

  #carryOut(order: TrialOrder, index: number): TrialQuote | null {
    const look = this.course.lookAt(index, order.session)
    if (look.kind === 'refused') return null
    const { entryPrice, direction, expiresMs } = order
    const { scale, payout } = this.#terms
    const leftMs = expiresMs - (this.course.times[index] as Instant)
    const price = this.course.prices[index] as Price
    const chances = chancesAtExpiry({ price, entryPrice, leftMs, movement: look.movement, scale })
    const win = Number(winChance(chances, direction)) / Number(UNIT)
    const { gross } = paymentOfSale(chances, { direction, stake: STAKE, payout }, NO_FEE)
    return isInRange(win) ? { index, win, gross: Number(gross) / Number(STAKE / 100n) } : null
  }
}

function isInRange(win: number): boolean {
  return win * 100 >= SALE_CHANCES.min && win * 100 <= SALE_CHANCES.max
}

/** Distribution function of Student's t with 4 degrees of freedom, as in `sale-price.ts`. */
function shareBelow(x: number): number {
  const base = 1 + (x * x) / 4
  return 0.5 + ((0.375 * x) / Math.sqrt(base)) * (1 - (x * x) / (12 * base))
}
