import type { BasisPoints, Money } from '#core/money/money.ts'
import type { Price } from '#core/money/price.ts'
import type { Direction } from '#core/orders/order.ts'
import type { Result } from '#core/result.ts'
import type { Instant } from '#core/time/instant.ts'
import type { MarketType } from '#core/markets/market.ts'

export type OrderRefusal =
  | 'not_verified'
  | 'trade_off'
  | 'trading_paused'
  | 'symbol_unknown'
  | 'market_closed'
  | 'symbol_closed'
  | 'setting_unknown'
  | 'terms_not_logged'
  | 'maintenance_planned'
  | 'maintenance_now'
  | 'expiry_after_close'
  | 'spans_split'
  | 'price_stale'
  | 'sources_pending'
  | 'too_many_voids'
  | 'record_unread'
  | 'price_moved'
  | 'payout_changed'
  | 'below_minimum'
  | 'above_maximum'
  | 'staff_limit'
  | 'staff_open_limit'
  | 'account_closing'
  | 'on_break'
  | 'terms_needed'
  | 'place_not_allowed'
  | 'excluded'
  | 'return_waits'
  | 'self_stake_max'
  | 'self_loss_limit'
  | 'self_staked_limit'
  | 'insufficient_balance'
  | 'too_many_open_orders'
  | 'exposure_full'
  | 'order_expired'
  | 'order_conflict'
  | 'busy'
  | 'restarting'

/** An order as its user requests it. The server sets price, expiry and payout. */
export interface OrderRequest {
  readonly userId: string
  /** Chosen by the client. A repeated request with the same id gets the first reply. */
  readonly clientOrderId: string
  readonly direction: Direction
  readonly tradeSettingId: number
  readonly stake: Money
  /** The code or product id of the symbol, in upper or lower case. */
  readonly symbol: string
  readonly marketType: MarketType | null
  /**
   * If given, the order is refused when the entry price would differ from `shown` by more than `maxDistance`. Both are
   * prices as decimal text.
   */
  readonly slippageGuard: { readonly shown: string; readonly maxDistance: string } | null
  /** The payout that the user saw. If the current payout differs, the order is refused. */
  readonly shownPayout?: BasisPoints | null
  /** The duration in seconds that the user saw. If the current duration differs, the order is refused. */
  readonly shownSeconds?: number | null
  /** The latest moment, by the server's clock, at which the order may be opened. */
  readonly validUntil?: Instant | null
  /** When the server received the request. Absent when the caller does not know it. */
  readonly receivedAt?: Instant
  /** Whether a newer version of the terms of use waits for the user's consent. If so, the order is refused. */
  readonly owesConsent?: boolean
  /** Whether the country rules refuse new orders of this user, or from the place of the request. */
  readonly isPlaceRefused?: boolean
  /** Whether a bot of a demo installation places the order. */
  readonly isBot?: boolean
}

/** The facts of an accepted order, as in the reply to the user. They never change. */
export interface AcceptedOrder {
  readonly orderId: string
  readonly trx: string
  readonly clientOrderId: string
  readonly symbolId: number
  readonly direction: Direction
  readonly stake: Money
  readonly payout: BasisPoints
  readonly seconds: number
  readonly entrySeq: number
  readonly entryPrice: Price
  readonly entryTime: Instant
  readonly openedAt: Instant
  readonly expiresAt: Instant
  /** The user's balance after the stake was debited. */
  readonly balance: Money
}

/** Accepts orders in batches and settles them at their expiry. */
export interface Engine {
  /** Places an order. Resolves after the commit. A refused order moves no money. */
  place(request: OrderRequest): Promise<Result<AcceptedOrder, OrderRefusal>>
  /**
   * Whether the engine accepts orders. False while it starts or stops, after a ledger mismatch, and during a fault of
   * the database or the clock.
   */
  takesOrders(): boolean
}
