import type { Money } from '#core/money/money.ts'
import type { Instant } from '#core/time/instant.ts'

/** A user's session of trading, and when the user has to look at it. The amounts are those of the session. */
export interface RealitySession {
  /** Interval of the check. */
  readonly minutes: number
  readonly from: Instant
  readonly dueAt: Instant
  readonly closedOrders: number
  readonly staked: Money
  readonly net: Money
  readonly openOrders: number
  readonly openStake: Money
}
