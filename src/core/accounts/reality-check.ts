import type { Money } from '#core/money/money.ts'
import type { Instant } from '#core/time/instant.ts'

/** A user's trading session, and when its next reality check is due. The amounts are totals of the session. */
export interface RealitySession {
  /** The interval of the reality check, in minutes. */
  readonly minutes: number
  readonly from: Instant
  readonly dueAt: Instant
  readonly closedOrders: number
  readonly staked: Money
  readonly net: Money
  readonly openOrders: number
  readonly openStake: Money
}
