import type { Price } from '#core/money/price.ts'
import { UNIT } from '#core/orders/sale/whole-numbers.ts'
import { MINUTE_MS, SECOND_MS } from '#core/time/instant.ts'

/**
 * Marks are whole multiples of 5 s UTC. The movement is the mean squared move in the 20 minutes between the first and
 * the last mark.
 */
export const MARK_MS = 5 * SECOND_MS
export const MARKS = (20 * MINUTE_MS) / MARK_MS + 1
/**
 * A move is measured over three marks (15 s). Over shorter times, slow quotes and trades that bounce between bid and
 * ask would show wrong sizes.
 */
export const MARKS_OF_A_MOVE = 3
export const MOVE_MS = BigInt(MARKS_OF_A_MOVE * MARK_MS)

/** Relative move from one price to another, in units of 10^-9, towards zero. */
export function relativeMove(from: Price, to: Price): bigint {
  return ((BigInt(to) - BigInt(from)) * UNIT) / BigInt(from)
}
