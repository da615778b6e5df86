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
  /** Created by the client. Repeating it returns the first reply. */
  readonly clientOrderId: string
  readonly direction: Direction
  readonly tradeSettingId: number
  readonly stake: Money
  /** Code or product id, any case. */
  readonly symbol: string
  readonly marketType: MarketType | null
  /**
   * Refuse when the entry would differ from `shown` by more than `maxDistance` (price units of the symbol, as decimal
   * text).
   */
  readonly slippageGuard: { readonly shown: string; readonly maxDistance: string } | null
  /** Refuse when the current payout differs from the payout shown to the user. */
  readonly shownPayout?: BasisPoints | null
  /** Refuse when the current duration in seconds differs from the duration shown to the user. */
  readonly shownSeconds?: number | null
  /** The latest moment, by the server's clock, at which the order may be opened. */
  readonly validUntil?: Instant | null
  /** When the server received the request. Unknown unless the caller passes it. */
  readonly receivedAt?: Instant
  /** A newer version of the terms of use waits for the user's consent. */
  readonly owesConsent?: boolean
  /** The country rules refuse new orders of this user, or from the place of the request. */
  readonly isPlaceRefused?: boolean
  /** Whether a demo's bot places the order. */
  readonly isBot?: boolean
}

/** An accepted order: frozen facts, as in the reply to its user. */
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
  /** Resolves after the commit. A refused order moves no money. */
  place(request: OrderRequest): Promise<Result<AcceptedOrder, OrderRefusal>>
  /** False while starting or stopping, and after a ledger mismatch. */
  takesOrders(): boolean
}
