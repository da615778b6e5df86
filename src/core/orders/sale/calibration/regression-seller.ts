import type { Price } from '#core/money/price.ts'
import { BUY } from '#core/orders/order.ts'
import { fitLinear } from '#core/orders/sale/calibration/fit-linear.ts'
import { randomMoment, type SellableOrder, type Seller, sellWhen } from '#core/orders/sale/calibration/sellers.ts'
import type { TrialDesk, TrialQuote } from '#core/orders/sale/calibration/trial-desk.ts'
import type { TrialOrder } from '#core/orders/sale/calibration/trial-order.ts'
import { UNIT } from '#core/orders/sale/whole-numbers.ts'
import { type Instant, SECOND_MS } from '#core/time/instant.ts'

const MOVES_MS = [2, 5, 10, 30, 60].map((seconds) => seconds * SECOND_MS)

/** The gain of one sale, and the facts (`features`) that the seller knew at the request. */
export interface Lesson {
  readonly features: readonly number[]
  /** The seller's gain in percent of the stake, before the fee. */
  readonly gain: number
}

/** Sells at a random moment, and returns the features and the gain of this sale. Null when no sale was carried out. */
export function learn(desk: TrialDesk, sellable: SellableOrder): Lesson | null {
  const { order } = sellable
  const moment = randomMoment(sellable)
  const shown = desk.shownAt(order, desk.course.indexAt(moment))
  const sold = desk.request(order, moment)
  if (shown === null || sold === null) return null
  return { features: featuresOf(desk, order, shown), gain: sold.gross - desk.paidWhenKept(order) }
}

/**
 * A seller who fits the gain of a sale to lessons by least squares, and sells when the expected gain is more than
 * `least` percent of the stake. Returns null when the lessons do not determine the weights.
 */
export function fitRegressionSeller(lessons: readonly Lesson[], least: number): Seller | null {
  const weights = fitLinear(
    lessons.map(({ features }) => features),
    lessons.map(({ gain }) => gain),
  )
  if (weights === null) return null
  return sellWhen((shown, order, desk) => {
    const features = featuresOf(desk, order, shown)
    return features.reduce((sum, feature, at) => sum + feature * (weights[at] as number), 0) > least
  })
}

/**
 * Returns the facts that the seller knows: the chance to win, the favourable moves of the last minute, the movement,
 * and the time left.
 */
function featuresOf(desk: TrialDesk, order: TrialOrder, { index, win }: TrialQuote): number[] {
  const { course } = desk
  const time = course.times[index] as Instant
  const price = course.prices[index] as Price
  const deviation = Math.sqrt(desk.movementAt(order, index) ?? 1) / Number(UNIT)
  const sign = order.direction === BUY ? 1 : -1
  const moves = MOVES_MS.map((ms) => {
    const before = course.prices[course.indexAt(time - ms)] as Price
    return (sign * (price - before)) / (before * deviation)
  })
  const left = (order.expiresMs - time) / (order.expiresMs - order.openedMs)
  // The deviation is in hundredths of a percent, so that it is not much smaller than the other features.
  return [1, win, win * win, win * win * win, ...moves, deviation * 10_000, left]
}
