import type { LinePoint } from '#core/proof/bundle-file.ts'
import type { ResultFacts } from '#core/proof/receipt-facts.ts'

export interface NextTick {
  readonly q: number
  /** The price in whole units of the currency. */
  readonly price: number
  readonly timeMs: number
}

/**
 * Returns the first tick after the expiry; null when unknown. The receipt names this tick, unless a heartbeat decided
 * the price. In that case the result is `later`, the tick that arrived afterwards.
 */
export function nextTick({ next, expires_ms, decimals }: ResultFacts, later: LinePoint | null): NextTick | null {
  if (next !== null) return { q: next.q, price: next.price / 10 ** decimals, timeMs: next.time_ms }
  if (later === null || later.time_ms <= expires_ms) return null
  return { q: later.q, price: later.price, timeMs: later.time_ms }
}
