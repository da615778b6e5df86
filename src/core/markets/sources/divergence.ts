import { isFurtherApart } from '#core/markets/sources/apart.ts'
import type { JudgeLimits } from '#core/markets/sources/judge-types.ts'
import type { Price } from '#core/money/price.ts'
import type { Instant } from '#core/time/instant.ts'

/** Whether two sources contradict each other: from the first price that does until they have agreed for a while. */
export class Divergence {
  isOn = false
  readonly #limits: JudgeLimits
  #agreedSince: Instant | null = null

  constructor(limits: JudgeLimits) {
    this.#limits = limits
  }

  /** Of prices of just now; null where there is none. */
  isBetween(one: Price | null, two: Price | null): boolean {
    const { divergenceBp: bp, divergenceTicks: ticks } = this.#limits
    return one !== null && two !== null && isFurtherApart(one, two, { bp, ticks })
  }

  begin(): void {
    this.isOn = true
  }

  end(): void {
    this.isOn = false
    this.#agreedSince = null
  }

  /** Whether they have agreed for long enough, up to now without a break. */
  isOver(one: Price | null, two: Price | null, now: Instant): boolean {
    const agree = one !== null && two !== null && !this.isBetween(one, two)
    if (!agree) this.#agreedSince = null
    else if (this.#agreedSince === null) this.#agreedSince = now
    return this.#agreedSince !== null && now - this.#agreedSince >= this.#limits.agreeAfterMs
  }
}
