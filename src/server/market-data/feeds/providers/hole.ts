import { type Instant, instant } from '#core/time/instant.ts'

/** The known part of a symbol's trades when one of them was unreadable. */
export interface KnownPart {
  /** Time of the last trade that was read. */
  readonly lastTime: number
  /** The time up to which no trade is missing. */
  readonly wholeUntil: number
}

/** The readable parts of an unreadable trade. Its id is newer than the id of the last trade. */
export interface UnreadParts {
  readonly id?: bigint | null
  readonly time?: Instant | null
}

/**
 * Remembers since when trades of one symbol are missing, until a trade or the provider shows what they were. While the
 * hole is open, no time may be confirmed as complete. A missing trade that is newer than the last trade, by id or time,
 * stays missing until an equally new trade arrives. A message that names an older trade does not close the hole.
 */
export class Hole {
  /**
   * `#after`: the latest time before the first missing trade. `#newestAfter`: the latest time before the newest missing
   * trade.
   */
  #after: number | null = null
  #newestAfter = Number.NEGATIVE_INFINITY
  /** `#id`: the newest missing id. `#time`: the newest time of a missing trade without an id. */
  #id: bigint | null = null
  #time: number | null = null
  /** The time up to which a heartbeat proved that no trade was missing. */
  #provenUntil: number | null = null

  get isOpen(): boolean {
    return this.#after !== null
  }

  /** The newest known id of the missing trades; null when none is known. */
  get newestId(): bigint | null {
    return this.#id
  }

  /** Notes a trade that could not be read, or has not arrived. */
  open({ lastTime, wholeUntil }: KnownPart, { id = null, time = null }: UnreadParts = {}): void {
    // A price older than the newest one would have been dropped anyway.
    if (id === null && time !== null && time < lastTime) return
    const after = time === null ? wholeUntil : Math.max(wholeUntil, time - 1)
    this.#after = Math.min(this.#after ?? after, after)
    this.#newestAfter = Math.max(this.#newestAfter, after)
    this.#provenUntil = null
    if (id !== null && id > (this.#id ?? -1n)) this.#id = id
    // A trade of the same millisecond may be the last trade, sent again.
    if (id === null && time !== null && time > Math.max(lastTime, this.#time ?? 0)) this.#time = time
  }

  /** Closes the hole: nothing is missing after all. */
  close(): void {
    this.#after = null
    this.#newestAfter = Number.NEGATIVE_INFINITY
    this.#id = null
    this.#time = null
    this.#provenUntil = null
  }

  /**
   * Call when the provider names our last trade as its newest. That closes the hole, unless a newer trade is known to have been made. Then
   * the hole stays open, and the message proves nothing.
   */
  closeUnlessNewer(): boolean {
    if (this.#id !== null || this.#time !== null) return false
    this.close()
    return true
  }

  /**
   * Call instead of `closeUnlessNewer` for a provider whose ids have gaps, when a message shows that the provider knew
   * all trades up to `until`. An unreadable trade may be newer than `until`. So the hole closes only with another such
   * message, at least `inFlightMs` later.
   */
  proveUntil(until: number, inFlightMs: number): boolean {
    if (this.#after === null) return true
    if (this.#id !== null || this.#time !== null) return false
    if (this.#provenUntil !== null && until >= this.#provenUntil + inFlightMs) {
      this.close()
      return true
    }
    this.#provenUntil ??= until
    this.#after = Math.max(this.#after, until)
    this.#newestAfter = Math.max(this.#newestAfter, until)
    return true
  }

  /**
   * Call when a trade was read whose id directly follows the id of the last trade. If this trade may be the missing
   * one, the hole closes and the result is null. Otherwise a different trade is still missing, and the result is that
   * of `end`.
   */
  follow(id: bigint, next: Instant): Instant | null {
    const isExplained = (this.#id === null || this.#id === id) && (this.#time === null || this.#time === next)
    if (!isExplained) return this.end(next, id)
    this.close()
    return null
  }

  /**
   * Call when the next trade was read. Earlier missing trades stay missing. Returns the last instant at which the previous price is
   * certainly right, or null when it is right up to the next trade. Trades newer than the next trade are still missing.
   */
  end(next: Instant, id: bigint | null = null): Instant | null {
    const after = this.#after
    if (after === null) return null
    const isNewerById = id !== null && this.#id !== null && this.#id > id
    if (this.#newestAfter >= next || (isNewerById && this.#newestAfter >= next - 1)) this.#after = this.#newestAfter
    else this.close()
    return after === Number.NEGATIVE_INFINITY || next - 1 <= after ? null : instant(after)
  }
}
