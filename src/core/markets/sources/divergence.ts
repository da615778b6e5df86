import { isFartherThan } from '#core/markets/sources/price-distance.ts'
import type { ArbiterLimits } from '#core/markets/sources/arbiter-types.ts'
import type { Price } from '#core/money/price.ts'
import type { Instant } from '#core/time/instant.ts'

/**
 * Tracks whether two sources disagree. A divergence lasts from the first contradicting price until the sources have
 * agreed for `agreeAfterMs`.
 */
export class Divergence {
  isOn = false
  readonly #limits: ArbiterLimits
  #agreedSince: Instant | null = null

  constructor(limits: ArbiterLimits) {
    this.#limits = limits
  }

  /** Whether two current prices contradict each other. Null means that a source has no current price. */
  isBetween(one: Price | null, two: Price | null): boolean {
    const { divergenceBp: bp, divergenceTicks: ticks } = this.#limits
    return one !== null && two !== null && isFartherThan(one, two, { bp, ticks })
  }

  begin(): void {
    this.isOn = true
  }

  end(): void {
    this.isOn = false
    this.#agreedSince = null
  }

  /** Whether the sources have agreed without a break for `agreeAfterMs` up to now. */
  isOver(one: Price | null, two: Price | null, now: Instant): boolean {
    const agree = one !== null && two !== null && !this.isBetween(one, two)
    if (!agree) this.#agreedSince = null
    else if (this.#agreedSince === null) this.#agreedSince = now
    return this.#agreedSince !== null && now - this.#agreedSince >= this.#limits.agreeAfterMs
  }
}
