import type { Session } from '#core/markets/calendar/sessions.ts'
import type { Price } from '#core/money/price.ts'
import { MARK_MS, MARKS, MARKS_OF_A_MOVE, relativeMove } from '#core/orders/sale/movement.ts'
import { type Instant, MINUTE_MS, SECOND_MS } from '#core/time/instant.ts'

/** Prices of one source in the order of the log. Times ascend. */
export interface CoursePrices {
  readonly times: readonly Instant[]
  readonly prices: readonly Price[]
}

/** Why no sale is offered at a price. */
export type CourseRefusal = 'sale_unsure' | 'sale_after_jump'

/** The movement of the price before a tick (see `sale-price.ts`), or the reason why no sale is offered at the tick. */
export type CourseLook =
  | { readonly kind: 'calm'; readonly movement: bigint }
  | { readonly kind: 'refused'; readonly code: CourseRefusal }

const MOVES = MARKS - MARKS_OF_A_MOVE
const MARKS_OF_A_MINUTE = MINUTE_MS / MARK_MS
/**
 * The number of moves in the last five minutes. Their mean square must be between a quarter and four times the mean
 * square of the moves of 20 minutes.
 */
const RECENT_MOVES = (5 * MINUTE_MS) / MARK_MS + 1 - MARKS_OF_A_MOVE
const MAX_CHANGE = 4n
/** 60 s: the maximum age of the tick that gives a mark its price. */
const MAX_MARK_AGE_MS = 60 * SECOND_MS
const MIN_TICKS = 60
const TICKS_WITHIN_MS = 10 * MINUTE_MS
/** (2.5 × √4)²: a move over 60 s has four times the variance of one over 15 s, and 2.5 deviations are a jump. */
const JUMP_SQUARED = 25n

/**
 * The prices of a symbol with their marks: whole multiples of 5 s UTC, each with the last price at or before it. Sums
 * are stored per mark, so `lookAt` takes the same time for any tick.
 */
export class PriceCourse {
  readonly times: readonly Instant[]
  readonly prices: readonly Price[]
  readonly #firstMark: number
  /** For each mark, the index of the tick that gives the mark its price. */
  readonly #tickOf: number[] = []
  /** Number of marks before each mark whose tick is too old. */
  readonly #staleBefore: number[] = [0]
  /** Sum of the squared moves that begin before each mark, in units of 10^-18. */
  readonly #squaresBefore: bigint[] = [0n]

  constructor({ times, prices }: CoursePrices) {
    this.times = times
    this.prices = prices
    this.#firstMark = Math.ceil((times[0] ?? 0) / MARK_MS)
    this.#setMarks()
  }

  /** Index of the last tick at or before a time; -1 when there is none. */
  indexAt(timeMs: number): number {
    let [low, high] = [0, this.times.length]
    while (low < high) {
      const middle = (low + high) >>> 1
      if ((this.times[middle] as Instant) <= timeMs) low = middle + 1
      else high = middle
    }
    return low - 1
  }

  /**
   * Measures the movement of the 20 minutes before a tick. Uses only prices up to the tick. `session` is the session of
   * the tick.
   */
  lookAt(index: number, session: Session): CourseLook {
    const time = this.times[index] as Instant
    // The newest mark is earlier than the tick, so that no later tick can belong to it.
    const newest = Math.ceil(time / MARK_MS) - 1 - this.#firstMark
    const oldest = newest - MARKS + 1
    if (!this.#areMarksComplete(oldest, newest, session)) return UNSURE
    if (index - this.indexAt(time - TICKS_WITHIN_MS) < MIN_TICKS) return UNSURE
    const movement = this.#meanSquare(newest, MOVES)
    const recent = this.#meanSquare(newest, RECENT_MOVES)
    if (movement === 0n || recent * MAX_CHANGE < movement || recent > movement * MAX_CHANGE) return UNSURE
    if (this.#hasJump(index, newest, movement)) return { kind: 'refused', code: 'sale_after_jump' }
    return { kind: 'calm', movement }
  }

  #setMarks(): void {
    const { times } = this
    const end = Math.floor((times.at(-1) ?? 0) / MARK_MS)
    let tick = 0
    for (let mark = this.#firstMark; mark <= end; mark += 1) {
      const at = mark * MARK_MS
      while (tick + 1 < times.length && (times[tick + 1] as Instant) <= at) tick += 1
      const isStale = at - (times[tick] as Instant) > MAX_MARK_AGE_MS
      this.#staleBefore.push((this.#staleBefore.at(-1) as number) + (isStale ? 1 : 0))
      this.#tickOf.push(tick)
    }
    for (let mark = 0; mark + MARKS_OF_A_MOVE < this.#tickOf.length; mark += 1) {
      const move = relativeMove(this.#priceAt(mark), this.#priceAt(mark + MARKS_OF_A_MOVE))
      this.#squaresBefore.push((this.#squaresBefore.at(-1) as bigint) + move * move)
    }
  }

  #priceAt(mark: number): Price {
    return this.prices[this.#tickOf[mark] as number] as Price
  }

  #areMarksComplete(oldest: number, newest: number, session: Session): boolean {
    if (oldest < 0) return false
    if ((this.#staleBefore[newest + 1] as number) > (this.#staleBefore[oldest] as number)) return false
    return (this.times[this.#tickOf[oldest] as number] as Instant) >= session.open
  }

  /** Mean of the last squared moves that end at or before a mark. */
  #meanSquare(newest: number, moves: number): bigint {
    const end = newest - MARKS_OF_A_MOVE + 1
    const [before, until] = [this.#squaresBefore[end - moves], this.#squaresBefore[end]]
    return ((until as bigint) - (before as bigint)) / BigInt(moves)
  }

  /** Whether the price moved too far in a minute: before the tick, or before a mark of the last minute. */
  #hasJump(index: number, newest: number, movement: bigint): boolean {
    const time = this.times[index] as Instant
    const isJump = (from: Price, to: Price) => relativeMove(from, to) ** 2n > JUMP_SQUARED * movement
    const minuteAgo = this.prices[this.indexAt(time - MINUTE_MS)] as Price
    if (isJump(minuteAgo, this.prices[index] as Price)) return true
    for (let mark = newest; (mark + this.#firstMark) * MARK_MS > time - MINUTE_MS; mark -= 1)
      if (isJump(this.#priceAt(mark - MARKS_OF_A_MINUTE), this.#priceAt(mark))) return true
    return false
  }
}

const UNSURE: CourseLook = { kind: 'refused', code: 'sale_unsure' }
