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
  | 'expiry_after_close'
  | 'spans_split'
  | 'price_stale'
  | 'price_moved'
  | 'payout_changed'
  | 'below_minimum'
  | 'above_maximum'
  | 'no_stake_possible'
  | 'insufficient_balance'
  | 'too_many_open_orders'
  | 'order_expired'
  | 'order_conflict'
  | 'busy'
  | 'restarting'

/** An order as its user asks for it. The price, the expiry and the payout are the server's. */
export interface OrderRequest {
  readonly userId: string
  /** Made by the client; repeating it gives the first answer. */
  readonly clientOrderId: string
  readonly direction: Direction
  readonly tradeSettingId: number
  readonly stake: Money
  /** Code or product id, any case. */
  readonly symbol: string
  readonly marketType: MarketType | null
  /** Refuse when the entry would differ from `shown` by more than `most` (price units of the symbol, as decimal text). */
  readonly slippageGuard: { readonly shown: string; readonly most: string } | null
  /** Refuse when the payout in force is another than the one that was shown. */
  readonly shownPayout?: BasisPoints | null
  /** The same for the length in seconds. */
  readonly shownSeconds?: number | null
  /** The last moment at which it may be opened, by our clock; later it is of no use to its user. */
  readonly validUntil?: Instant | null
  /** When the server had the request, before anything was done about it. Not known unless whoever asks says so. */
  readonly receivedAt?: Instant
}

/** An order that was taken: frozen facts, as the answer to its user. */
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
  /** The user's balance after the stake was taken. */
  readonly balance: Money
}

/** Takes orders in batches and settles them when their time is up. */
export interface Engine {
  /** Answers after commit. A refusal has taken nothing. */
  place(request: OrderRequest): Promise<Result<AcceptedOrder, OrderRefusal>>
  /** False while starting, stopping, or stopped by a ledger mismatch. */
  takesOrders(): boolean
}
