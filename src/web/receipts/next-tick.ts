import type { LinePoint } from '#core/proof/bundle-file.ts'
import type { ResultFacts } from '#core/proof/receipt-facts.ts'

export interface NextTick {
  readonly q: number
  /** In whole units of the currency. */
  readonly price: number
  readonly timeMs: number
}

/**
 * The first tick after the expiry: the one that the receipt names, or, where a heartbeat decided the price, the one that
 * came later. Null when none is known.
 */
export function nextTick({ next, expires_ms, decimals }: ResultFacts, later: LinePoint | null): NextTick | null {
  if (next !== null) return { q: next.q, price: next.price / 10 ** decimals, timeMs: next.time_ms }
  if (later === null || later.time_ms <= expires_ms) return null
  return { q: later.q, price: later.price, timeMs: later.time_ms }
}
