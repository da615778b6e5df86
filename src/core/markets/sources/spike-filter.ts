import { isAsNear, isFartherThan, type PriceDistance } from '#core/markets/sources/price-distance.ts'
import type { ReceivedQuote } from '#core/markets/sources/arbiter-types.ts'
import type { Price } from '#core/money/price.ts'
import type { Instant } from '#core/time/instant.ts'

/** A confirmed price serves as reference for 10 times the maximum age of a price. */
const REFERENCE_AGES = 10

export interface Filtered {
  /** Quotes that are now confirmed as prices, in the source's order. */
  readonly confirmed: readonly ReceivedQuote[]
  readonly dropped: ReceivedQuote | null
}

/**
 * Holds back a price that is far from the source's previous price, until the next quote or the other source confirms
 * it. A quote further than the limit from the source's last confirmed price is held, and the next quote decides:
 * - Near the held quote: both are prices.
 * - Near the previous price: the held quote is dropped.
 * - Far from both: the held quote is dropped and the new quote is held.
 *
 * A held quote that is not confirmed within the maximum age of a price is dropped. Without a recent confirmed price
 * there is no reference, and a quote becomes a price immediately.
 */
export class SpikeFilter {
  confirmed: ReceivedQuote | null = null
  held: ReceivedQuote | null = null
  readonly #limit: PriceDistance
  readonly #maxAgeMs: number

  constructor(limit: PriceDistance, maxAgeMs: number) {
    this.#limit = limit
    this.#maxAgeMs = maxAgeMs
  }

  take(quote: ReceivedQuote): Filtered {
    const { held } = this
    if (held !== null && this.#confirms(quote.price, held)) {
      this.#confirm(quote)
      return { confirmed: [held, quote], dropped: null }
    }
    if (this.#isSpike(quote)) {
      this.held = quote
      return { confirmed: [], dropped: held }
    }
    this.#confirm(quote)
    return { confirmed: [quote], dropped: held }
  }

  /**
   * Confirms the held quote by a fresh price of the other source. Returns the quote when it is confirmed, else null.
   */
  confirmBy(price: Price): ReceivedQuote | null {
    const { held } = this
    if (held === null || !this.#confirms(price, held)) return null
    this.#confirm(held)
    return held
  }

  /** Drops and returns the held quote when it has waited too long, else returns null. */
  expire(now: Instant): ReceivedQuote | null {
    const { held } = this
    if (held === null || now - held.receivedAt < this.#maxAgeMs) return null
    this.held = null
    return held
  }

  #isSpike({ price, time }: ReceivedQuote): boolean {
    const { confirmed } = this
    if (confirmed === null || time - confirmed.time > REFERENCE_AGES * this.#maxAgeMs) return false
    return isFartherThan(price, confirmed.price, this.#limit)
  }

  #confirms(price: Price, held: ReceivedQuote): boolean {
    if (isFartherThan(price, held.price, this.#limit)) return false
    return this.confirmed === null || isAsNear(price, held.price, this.confirmed.price)
  }

  #confirm(quote: ReceivedQuote): void {
    this.confirmed = quote
    this.held = null
  }
}
