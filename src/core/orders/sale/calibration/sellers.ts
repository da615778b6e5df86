import type { Price } from '#core/money/price.ts'
import { BUY } from '#core/orders/order.ts'
import type { TrialDesk, TrialQuote } from '#core/orders/sale/calibration/trial-desk.ts'
import type { TrialOrder } from '#core/orders/sale/calibration/trial-order.ts'
import { relativeMove } from '#core/orders/sale/movement.ts'
import { type Instant, MINUTE_MS } from '#core/time/instant.ts'

/** A trial order that can be sold between the moments `from` and `to`. */
export interface SellableOrder {
  readonly order: TrialOrder
  /** The number of the trial order, from 0. It spreads the random moments evenly. */
  readonly at: number
  readonly from: number
  readonly to: number
}

/** Decides when an order is sold. Returns the sale, or null when the order is kept. */
export type Seller = (desk: TrialDesk, sellable: SellableOrder) => TrialQuote | null

/**
 * How the request of an informed seller is carried out. Users are offered only `by the rule`. The report has the other
 * two to show how much an informed seller would gain by them.
 */
export type Execution = 'at once' | 'at the next tick' | 'by the rule'

/**
 * An informed seller requests a sale when the shown amount exceeds the fair amount by this much, in percent of the
 * stake.
 */
const WORTH_IT = 6
/** The square of 1.8 standard deviations of a move over 60 s. Its variance is four times that of a move over 15 s. */
const LARGE_MOVE_SQUARED = 1.8 * 1.8 * 4
/** 6 s between requests: a seller sends at most ten requests a minute. */
const ASKS_EVERY_MS = MINUTE_MS / 10
const GOLDEN_RATIO = 0.618_033_988_749_895

/**
 * A moment between `from` and `to`. Over all orders these moments are spread evenly, and each run of the calibration
 * chooses the same moments.
 */
export function randomMoment({ at, from, to }: SellableOrder): number {
  return Math.floor(from + (to - from) * ((at * GOLDEN_RATIO) % 1))
}

export function sellAtRandom(desk: TrialDesk, sellable: SellableOrder): TrialQuote | null {
  return desk.request(sellable.order, randomMoment(sellable))
}

/** Requests a sale at each tick for which `isWanted` returns true, until a request is carried out. */
export function sellWhen(isWanted: (shown: TrialQuote, order: TrialOrder, desk: TrialDesk) => boolean): Seller {
  return (desk, sellable) => {
    const { order } = sellable
    for (const shown of shownPrices(desk, sellable)) {
      if (!isWanted(shown, order, desk)) continue
      const sold = desk.request(order, desk.course.times[shown.index] as Instant)
      if (sold !== null) return sold
    }
    return null
  }
}

/** Yields the amount that the seller is shown at each tick at which a sale is offered. */
function* shownPrices(desk: TrialDesk, { order, from, to }: SellableOrder): Generator<TrialQuote> {
  const { course } = desk
  for (let index = course.indexAt(from - 1) + 1; (course.times[index] ?? Infinity) <= to; index += 1) {
    const shown = desk.shownAt(order, index)
    if (shown !== null) yield shown
  }
}

/** Sells after a move of 1.8 deviations in 60 s, in favour of the order (`true`) or against it. */
export function sellAfterMove(isWantedInFavour: boolean): Seller {
  return sellWhen(({ index }, order, desk) => {
    const { course } = desk
    const from = course.indexAt((course.times[index] as Instant) - MINUTE_MS)
    const move = Number(relativeMove(course.prices[from] as Price, course.prices[index] as Price))
    const isLarge = move * move > LARGE_MOVE_SQUARED * (desk.movementAt(order, index) ?? Infinity)
    return isLarge && (move > 0 === (order.direction === BUY)) === isWantedInFavour
  })
}

/** Sells when the price that the log will have `leadMs` later makes the shown amount too good. */
export function sellInformed(leadMs: number, execution: Execution): Seller {
  return (desk, sellable) => {
    const { order, from, to } = sellable
    for (const known of shownPrices(desk, sellable)) {
      const requestMs = (desk.course.times[known.index] as Instant) - leadMs
      if (requestMs < from || requestMs > to) continue
      const shown = desk.shownAt(order, desk.course.indexAt(requestMs))
      if (shown === null || shown.gross - known.gross < WORTH_IT) continue
      const sold = carryOut(execution, desk, order, requestMs, shown)
      if (sold !== null) return sold
    }
    return null
  }
}

function carryOut(
  execution: Execution,
  desk: TrialDesk,
  order: TrialOrder,
  requestMs: number,
  shown: TrialQuote,
): TrialQuote | null {
  if (execution === 'at once') return shown
  if (execution === 'at the next tick') return desk.shownAt(order, shown.index + 1)
  return desk.request(order, requestMs)
}

/** Repeats requests until a sale brings at least `extra` percent of the stake more than the shown amount. */
export function sellForMore(extra: number): Seller {
  return (desk, { order, from, to }) => {
    for (let requestMs = from; requestMs <= to; requestMs += ASKS_EVERY_MS) {
      const shown = desk.shownAt(order, desk.course.indexAt(requestMs))
      if (shown === null) continue
      const sold = desk.request(order, requestMs)
      if (sold !== null && sold.gross >= shown.gross + extra) return sold
    }
    return null
  }
}
