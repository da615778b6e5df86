import { type Instant, instant } from '#core/time/instant.ts'

/** What is known of a symbol's trades when one of them could not be read. */
export interface KnownPart {
  /** Of the last trade that was read. */
  readonly lastTime: number
  /** Up to then nothing is missing. */
  readonly wholeUntil: number
}

/** How much of a trade that could not be read is known all the same. Its id is newer than that of the last trade. */
export interface UnreadParts {
  readonly id?: bigint | null
  readonly time?: Instant | null
}

/**
 * Remembers from when trades of one symbol are missing, until a trade or the provider's word shows what there was. Nothing
 * may be said to be whole while it is open. A trade whose id or time shows that it is newer than the last one stays missing
 * until a trade as new as that comes: no word that names an older trade takes it back.
 */
export class Hole {
  /** Up to when nothing is missing: before the first trade that is, and before the newest one. */
  #after: number | null = null
  #newestAfter = Number.NEGATIVE_INFINITY
  /** The newest id of those that are missing, and the newest time of those without an id. */
  #id: bigint | null = null
  #time: number | null = null
  /** Up to when a sign of life said that none of them was a trade. */
  #provenUntil: number | null = null

  get isOpen(): boolean {
    return this.#after !== null
  }

  /** The newest id that is known of those that are missing; null when none is. */
  get newestId(): bigint | null {
    return this.#id
  }

  /** A trade could not be read, or has not come. */
  open({ lastTime, wholeUntil }: KnownPart, { id = null, time = null }: UnreadParts = {}): void {
    // A price older than the newest one would have been left out.
    if (id === null && time !== null && time < lastTime) return
    const after = time === null ? wholeUntil : Math.max(wholeUntil, time - 1)
    this.#after = Math.min(this.#after ?? after, after)
    this.#newestAfter = Math.max(this.#newestAfter, after)
    this.#provenUntil = null
    if (id !== null && id > (this.#id ?? -1n)) this.#id = id
    // One of the same millisecond may be the last trade itself, sent again.
    if (id === null && time !== null && time > Math.max(lastTime, this.#time ?? 0)) this.#time = time
  }

  /** Nothing is missing after all. */
  close(): void {
    this.#after = null
    this.#newestAfter = Number.NEGATIVE_INFINITY
    this.#id = null
    this.#time = null
    this.#provenUntil = null
  }

  /**
   * The provider names the last trade we have as the newest one. That closes the hole, unless a newer one is known to
   * have come: then it is still open, and the word proves nothing.
   */
  closeUnlessNewer(): boolean {
    if (this.#id !== null || this.#time !== null) return false
    this.close()
    return true
  }

  /**
   * The same from a provider whose ids have holes, and that knew all trades up to `until` when it spoke. What could not
   * be read may be newer than that, so the hole closes with the next such word that is later by `inFlightMs`.
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
   * The trade with the next id was read, so none is missing between the two. Answers as `end` does when one is known to
   * have come that it is not.
   */
  follow(id: bigint, next: Instant): Instant | null {
    const isExplained = (this.#id === null || this.#id === id) && (this.#time === null || this.#time === next)
    if (!isExplained) return this.end(next, id)
    this.close()
    return null
  }

  /**
   * The next trade was read, and what was missing before it stays missing. Answers the last instant at which the price
   * before is still the right one, or null when it is up to the next trade. What is newer than the next trade is still missing.
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
