import type { Money } from '#core/money/money.ts'
import type { Price } from '#core/money/price.ts'
import type { Direction, OrderResult } from '#core/orders/order.ts'
import type { Instant } from '#core/time/instant.ts'

/** A result as it is told to its owner. */
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
  /** Which result of its user it is: 1 for the first; null for one from before they were numbered. */
  readonly resultNumber: number | null
}

/** Things that have happened and are committed. A lost announcement loses nothing: everything can be asked for again. */
export type Announcement =
  | {
      readonly kind: 'order-accepted'
      readonly userId: string
      readonly orderId: string
      readonly symbolId: number
      readonly expiresAt: Instant
    }
  | { readonly kind: 'order-settled'; readonly order: SettledOrder }
  | { readonly kind: 'balance-changed'; readonly userId: string }
  | { readonly kind: 'session-ended'; readonly userId: string; readonly tokenHash: Uint8Array | null }
  /** A user asked for a deposit; an automatic one is credited already. */
  | { readonly kind: 'deposit-asked'; readonly userId: string; readonly trx: string }
  | { readonly kind: 'deposit-decided'; readonly userId: string; readonly trx: string }
  /** Asked for, cancelled, paid or rejected. */
  | { readonly kind: 'withdrawal-changed'; readonly userId: string; readonly trx: string }
  /** A new account, or one that is verified now. */
  | { readonly kind: 'account-changed'; readonly userId: string }
  /** Somebody went in from a device that was not known: the sockets that its owner has open elsewhere are told. */
  | { readonly kind: 'new-device'; readonly userId: string; readonly device: string }
  | { readonly kind: 'trade-status-changed'; readonly userId: string }
  | { readonly kind: 'markets-changed' }
  | { readonly kind: 'settings-changed' }
  /** Stored candles of a stretch of time were folded again from the log. */
  | {
      readonly kind: 'candles-rebuilt'
      readonly symbolIds: readonly number[]
      readonly from: Instant
      readonly until: Instant
    }
  /** Somebody of the staff has another role, is blocked, or a session of theirs has ended. */
  | { readonly kind: 'staff-changed'; readonly staffId: string }
  /** Somebody of the staff changed something that pages of that area show. */
  | { readonly kind: 'back-office-changed'; readonly area: string }
  /** Other servers may have announced what we have not heard: whoever keeps anything in memory reads it again. */
  | { readonly kind: 'news-missed' }
