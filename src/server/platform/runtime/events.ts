import type { Money } from '#core/money/money.ts'
import type { Price } from '#core/money/price.ts'
import type { Direction, OrderResult } from '#core/orders/order.ts'
import type { PriceGroup } from '#core/orders/rules/price-group.ts'
import type { ChartInterval } from '#core/time/chart-interval.ts'
import type { Instant } from '#core/time/instant.ts'

/** A result as sent to its user. */
export interface SettledOrder {
  readonly userId: string
  readonly orderId: string
  readonly trx: string
  readonly clientOrderId: string
  readonly symbolId: number
  readonly direction: Direction
  readonly stake: Money
  readonly entryPrice: Price
  readonly exitPrice: Price | null
  readonly result: OrderResult
  /** Net change: + profit, − stake, 0 on a draw or void. */
  readonly resultAmount: Money
  readonly balanceAfter: Money
  readonly voidReason: string | null
  /** Position among all results of the user, from 1. Null when it was stored before results were numbered. */
  readonly resultNumber: number | null
}

/** The newest firing of a price alert. */
export interface FiredAlert {
  readonly id: string
  readonly symbolId: number
  readonly seq: number
  readonly price: Price
  readonly time: Instant
}

/** Committed events. A lost event loses no data, because everything can be read again. */
export type DomainEvent =
  | {
      readonly kind: 'order-accepted'
      readonly userId: string
      readonly orderId: string
      readonly symbolId: number
      readonly expiresAt: Instant
      /** The facts that choose the price which settles the order. Absent under settlement rule 1. */
      readonly group?: PriceGroup | undefined
    }
  | { readonly kind: 'order-settled'; readonly order: SettledOrder }
  | { readonly kind: 'balance-changed'; readonly userId: string }
  /** A user changed an own limit, or began or ended a break. */
  | { readonly kind: 'limits-changed'; readonly userId: string }
  | { readonly kind: 'session-ended'; readonly userId: string; readonly tokenHash: Uint8Array | null }
  /** A user requested a deposit. An automatic deposit is credited already. */
  | { readonly kind: 'deposit-asked'; readonly userId: string; readonly trx: string }
  | { readonly kind: 'deposit-decided'; readonly userId: string; readonly trx: string }
  /** A withdrawal was requested, cancelled, paid or rejected. */
  | { readonly kind: 'withdrawal-changed'; readonly userId: string; readonly trx: string }
  /**
   * A user account is new or is now verified, its password or second step changed, or its user agreed to the terms of
   * use.
   */
  | { readonly kind: 'account-changed'; readonly userId: string }
  /** A log-in from an unknown device. The user's other open sockets are notified. */
  | { readonly kind: 'new-device'; readonly userId: string; readonly device: string }
  /** A user has a new notice. */
  | { readonly kind: 'notice'; readonly userId: string }
  /** A price alert of a user has fired. */
  | { readonly kind: 'alert-fired'; readonly userId: string; readonly alert: FiredAlert }
  | { readonly kind: 'trade-status-changed'; readonly userId: string }
  | { readonly kind: 'markets-changed' }
  | { readonly kind: 'settings-changed' }
  /** Stored candles of a time range were computed again from the tick log. */
  | {
      readonly kind: 'candles-rebuilt'
      readonly symbolIds: readonly number[]
      readonly from: Instant
      readonly until: Instant
    }
  /** The server that writes the tick log has stored bars that it fetched from a source. */
  | {
      readonly kind: 'history-fetched'
      readonly symbolId: number
      readonly interval: ChartInterval
      readonly from: Instant
      readonly until: Instant
    }
  /** A staff member has another role, is blocked, or lost a session. */
  | { readonly kind: 'staff-changed'; readonly staffId: string }
  /** A staff member changed data that pages of this area show. */
  | { readonly kind: 'back-office-changed'; readonly area: string }
  /** Other servers may have announced events that this server missed. Every cache must be read again. */
  | { readonly kind: 'events-missed' }
