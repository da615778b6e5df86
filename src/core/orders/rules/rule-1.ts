import { type Tick, WATERMARK_LIMIT_MS } from '#core/markets/tick.ts'
import type { VoidReason } from '#core/orders/order.ts'
import { type Instant, later } from '#core/time/instant.ts'

export interface SettlementFacts {
  readonly expiresAt: Instant
  /** The last accepted tick with source time <= expiry. */
  readonly last: Tick | null
  /** The first accepted tick with source time > expiry. */
  readonly next: Tick | null
  /** The newest source time of a tick or heartbeat. */
  readonly watermark: Instant | null
  readonly maxTickAgeMs: number
  readonly now: Instant
}

export type SettlementDecision =
  | { readonly kind: 'wait' }
  | { readonly kind: 'price'; readonly exit: Tick }
  | { readonly kind: 'void'; readonly reason: VoidReason }

/**
 * Decides the settlement price for all orders of one symbol and expiry. The decision waits until the stream has passed
 * the expiry, because an earlier tick could still arrive before that. Ticks of the same millisecond are ordered by
 * their sequence in the log.
 */
export function decideSettlementPrice(facts: SettlementFacts): SettlementDecision {
  const deadline = later(facts.expiresAt, WATERMARK_LIMIT_MS)
  const passedByTick = facts.next !== null && facts.next.receivedAt <= deadline
  const passedByHeartbeat = facts.watermark !== null && facts.watermark > facts.expiresAt && facts.now <= deadline
  if (passedByTick || passedByHeartbeat) {
    const oldest = later(facts.expiresAt, -facts.maxTickAgeMs)
    if (facts.last === null || facts.last.time < oldest) return { kind: 'void', reason: 'no_tick_before_expiry' }
    return { kind: 'price', exit: facts.last }
  }
  if (facts.now > deadline) return { kind: 'void', reason: 'no_price_after_expiry' }
  return { kind: 'wait' }
}
