import { type Instant, instant } from '#core/time/instant.ts'

/** What is known of a symbol's trades when one of them could not be read. */
export interface KnownPart {
  /** Of the last trade that was read. */
  readonly lastTime: number
  /** Up to then nothing is missing. */
  readonly wholeUntil: number
}

/**
 * Remembers from when trades of one symbol are missing, until a trade or the provider's word shows what there was. Nothing
 * may be said to be whole while it is open.
 */
export class Hole {
  #after: number | null = null

  get isOpen(): boolean {
    return this.#after !== null
  }

  /** A trade could not be read, or has not come. Its `time` may be unknown. */
  open({ lastTime, wholeUntil }: KnownPart, time: Instant | null = null): void {
    // A price older than the newest one would have been left out.
    if (time !== null && time < lastTime) return
    const after = time === null ? wholeUntil : Math.max(wholeUntil, time - 1)
    this.#after = Math.min(this.#after ?? after, after)
  }

  /** Nothing is missing after all. */
  close(): void {
    this.#after = null
  }

  /**
   * The next trade was read, and what was missing before it stays missing. Answers the last instant at which the price
   * before is still the right one, or null when it is up to the next trade.
   */
  end(next: Instant): Instant | null {
    const after = this.#after
    this.#after = null
    return after === null || after === Number.NEGATIVE_INFINITY || next - 1 <= after ? null : instant(after)
  }
}
