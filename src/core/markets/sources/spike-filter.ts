import { isAsNear, isFurtherApart, type PriceDistance } from '#core/markets/sources/apart.ts'
import type { HeardQuote } from '#core/markets/sources/judge-types.ts'
import type { Price } from '#core/money/price.ts'
import type { Instant } from '#core/time/instant.ts'

/** A confirmed price is what the next is measured by for so many times the age a price may have. */
const REFERENCE_AGES = 10

export interface Filtered {
  /** In the source's order, each from now on a price. */
  readonly confirmed: readonly HeardQuote[]
  readonly dropped: HeardQuote | null
}

/**
 * Holds back a lone price far from those before it. One source's quote further than the limit from its last confirmed
 * price is held; the next one decides: near the held one, both are prices; back near the old price, the held one was
 * none; far from both, the held one was none and the new one is held. A held quote that nothing confirms within the age
 * a price may have is dropped. Without a recent confirmed price there is nothing to measure by, and a quote counts at once.
 */
export class SpikeFilter {
  confirmed: HeardQuote | null = null
  held: HeardQuote | null = null
  readonly #limit: PriceDistance
  readonly #maxAgeMs: number

  constructor(limit: PriceDistance, maxAgeMs: number) {
    this.#limit = limit
    this.#maxAgeMs = maxAgeMs
  }

  take(quote: HeardQuote): Filtered {
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

  /** A fresh price of somebody else: answers the held quote when it is a price by that. */
  confirmBy(price: Price): HeardQuote | null {
    const { held } = this
    if (held === null || !this.#confirms(price, held)) return null
    this.#confirm(held)
    return held
  }

  /** Answers the held quote when it has waited too long; it was no price. */
  expire(now: Instant): HeardQuote | null {
    const { held } = this
    if (held === null || now - held.heardAt < this.#maxAgeMs) return null
    this.held = null
    return held
  }

  #isSpike({ price, time }: HeardQuote): boolean {
    const { confirmed } = this
    if (confirmed === null || time - confirmed.time > REFERENCE_AGES * this.#maxAgeMs) return false
    return isFurtherApart(price, confirmed.price, this.#limit)
  }

  #confirms(price: Price, held: HeardQuote): boolean {
    if (isFurtherApart(price, held.price, this.#limit)) return false
    return this.confirmed === null || isAsNear(price, held.price, this.confirmed.price)
  }

  #confirm(quote: HeardQuote): void {
    this.confirmed = quote
    this.held = null
  }
}
