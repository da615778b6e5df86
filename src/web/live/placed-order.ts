import type { NewTradeAccepted } from '#contract/live/app-socket.ts'
import type { OwnTrade } from '#contract/trades.ts'
import type { AccountName } from '#core/accounts/practice.ts'
import { BUY, type Direction } from '#core/orders/order.ts'

/** An accepted order with its frozen terms. Times are in milliseconds UTC, prices and amounts as shown. */
export interface PlacedOrder {
  readonly id: string
  readonly clientOrderId: string
  /** The reference shown to users. */
  readonly trx: string
  /** The plain code: `BTC`. */
  readonly symbol: string
  readonly direction: Direction
  readonly stake: number
  /** In percent of the stake. */
  readonly payout: number
  readonly seconds: number
  readonly openedAt: number
  readonly expiresAt: number
  readonly entryPrice: number
  /** The source's time of the entry tick. */
  readonly entryAt: number

  /** The source for whose public history of trades the order waits after its expiry. */
  readonly awaitingRecord?: string | undefined
}

/** The reply of the server, or of this client, to an order. */
export type Placement =
  | {
      readonly kind: 'accepted'
      readonly order: PlacedOrder
      readonly balance: number | null
      readonly account: AccountName
    }
  /**
   * `message` is the server's text in the user's language. The text is empty for the codes `not_taken` and `cancelled`,
   * because the client and not the server makes these refusals.
   */
  | { readonly kind: 'refused'; readonly code: string; readonly message: string }

export function fromAccepted({ data, trade_price }: NewTradeAccepted): PlacedOrder {
  return {
    id: data.id,
    clientOrderId: data.clientOrderId,
    trx: data.trx,
    symbol: data.symbol,
    direction: data.high_low,
    stake: data.amount,
    payout: data.profit_percentage,
    seconds: data.time,
    openedAt: Date.parse(data.opened_at),
    expiresAt: Date.parse(data.expires_at),
    entryPrice: trade_price,
    entryAt: data.entry.time_ms,
  }
}

export function fromOwnTrade(trade: OwnTrade): PlacedOrder {
  return {
    id: trade.id,
    clientOrderId: trade.clientOrderId,
    trx: trade.trx,
    symbol: trade.symbol,
    direction: trade.high_low,
    stake: trade.amount,
    payout: trade.profit_percentage,
    seconds: trade.trade_setting.time,
    openedAt: Date.parse(trade.opened_at),
    expiresAt: Date.parse(trade.expires_at),
    entryPrice: trade.price_was,
    entryAt: trade.entry.time_ms,
    awaitingRecord: trade.awaiting_record ?? undefined,
  }
}

/** Returns the profit of a win, rounded to the cent for display. The server's figure is exact. */
export function profitOf({ stake, payout }: Pick<PlacedOrder, 'stake' | 'payout'>): number {
  return Math.round(stake * payout) / 100
}

/** Returns 1 for winning, −1 for losing and 0 for a draw, as if the order ended at `price`. */
export function standing(
  { direction, entryPrice }: Pick<PlacedOrder, 'direction' | 'entryPrice'>,
  price: number,
): -1 | 0 | 1 {
  const moved = Math.sign(price - entryPrice)
  const sided = direction === BUY ? moved : -moved
  return sided > 0 ? 1 : sided < 0 ? -1 : 0
}
