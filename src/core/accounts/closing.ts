import type { Money } from '#core/money/money.ts'
import { type Refusal, refuse } from '#core/result.ts'
import { type Instant, minuteText } from '#core/time/instant.ts'

/**
 * The open orders, payments and money that must be gone before the data of a user who closes the account can be erased.
 */
export interface AccountObstacles {
  readonly openOrders: number
  readonly withdrawals: number
  readonly deposits: number
  /** The number of adjustments that staff have not decided and of payments that staff have not paid. */
  readonly decisions: number
  readonly cash: Money
}

/** The username of an account after its data was erased. The name reveals nothing about the user. */
export function closedName(uid: string): string {
  return `closed-${uid}`
}

/** Why an account accepts no orders and no deposits: the user is closing the account, or takes a break. */
export type ClosedRefusal = Refusal<'account_closing' | 'on_break' | 'excluded' | 'return_waits'>

/**
 * The refusal of orders and deposits while the user closes the account. The trigger `check_account_closing` of migration
 * 0043 sets `erasesAt`: 14 days after the request.
 */
export function closingRefusal(erasesAt: Instant): Refusal<'account_closing'> {
  return refuse('account_closing', { params: { time: minuteText(erasesAt) } })
}
