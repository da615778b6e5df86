import type { Int8, Int8OrNull, OptionalInt4, OptionalInt8 } from '#server/platform/database/tables/column-types.ts'

/** The key of a decided price. */
export interface DecisionColumns {
  symbol_id: number
  /** The source of the entry prices of the orders that this price settles. */
  source: string
  expires_ms: Int8
  max_tick_age_ms: number
  rule: number
  evidence: string
}

/**
 * The tables of the folder `src/server/trading`. No code outside this folder writes them (exceptions:
 * `table-owners.test.ts`).
 */
export interface TradingTables {
  favorite: { user_id: string; symbol_id: number }
  open_order: OrderColumns & {
    /** The number of the request that is selling the order back. Null without such a request. */
    selling: OptionalInt4
  }
  cap_refusal: { day: number; symbol_id: number; direction: number; orders: Int8 }
  sale_request: {
    order_id: string
    n: number
    user_id: string
    client_sale_id: string
    requested_ms: Int8
    least: Int8
    terms_n: Int8
    head_seq: Int8
  }
  sale_end: {
    order_id: string
    n: number
    user_id: string
    reason: string | null
    tick_seq: Int8OrNull
    /** The provider's number of the trade; null where it gives none. */
    tick_ref: OptionalInt8
    received_ms: Int8OrNull
    movement: string | null
    left_ms: Int8OrNull
    win: Int8OrNull
    same: Int8OrNull
    stake: Int8OrNull
    gross: Int8OrNull
    fee: Int8OrNull
    paid: Int8OrNull
    decided_ms: Int8
    head_seq: Int8
  }
  sale_expiry: { order_id: string; n: number; payment: Int8; noted_ms: Int8 }
  order_history: OrderColumns & {
    result: number
    result_amount: Int8
    balance_after: Int8
    exit_seq: Int8OrNull
    exit_price: Int8OrNull
    exit_time_ms: Int8OrNull
    void_reason: string | null
    settled_ms: Int8
    /** Position among all results of the user, from 1. Null when it was stored before results were numbered. */
    result_number: Int8OrNull
  }
  history_question: {
    symbol_id: number
    source: string
    expires_ms: Int8
    first_requested_ms: Int8
    last_requested_ms: Int8
    /** Since when the provider's record contradicts the tick log about one trade. */
    differs_since_ms: Int8OrNull
    outcome: string | null
    newest_ref: Int8OrNull
    covered_until_ms: Int8OrNull
  }
  settlement_price: {
    symbol_id: number
    expires_ms: Int8
    exit_seq: Int8OrNull
    exit_price: Int8OrNull
    exit_time_ms: Int8OrNull
    next_seq: Int8OrNull
    next_price: Int8OrNull
    next_time_ms: Int8OrNull
    watermark_ms: Int8
    void_reason: string | null
    decided_ms: Int8
    head_seq: Int8OrNull
    max_tick_age_ms: number | null
  }
  /** The prices that settle orders from rule 2 on. */
  decided_price: DecisionColumns & {
    exit_seq: Int8OrNull
    exit_price: Int8OrNull
    exit_time_ms: Int8OrNull
    exit_ref: Int8OrNull
    next_seq: Int8OrNull
    next_price: Int8OrNull
    next_time_ms: Int8OrNull
    next_ref: Int8OrNull
    /** The sequence number from which on the tick log proves the price. */
    since_seq: Int8OrNull
    watermark_ms: Int8
    void_reason: string | null
    /** Whether the exit tick or the next tick came as late evidence. */
    is_late: boolean
    decided_ms: Int8
    head_seq: Int8
  }
}

interface OrderColumns {
  user_id: string
  id: string
  client_order_id: string
  trx: string
  symbol_id: number
  trade_setting_id: number
  seconds: number
  direction: number
  stake: Int8
  profit_basis_points: number
  rule_version: number
  entry_seq: Int8
  entry_price: Int8
  entry_time_ms: Int8
  entry_source: string
  opened_ms: Int8
  expires_ms: Int8
  head_seq: OptionalInt8
  received_ms: OptionalInt8
  /** The entry of the trade terms that names the payout. Null for orders older than the history. */
  terms_n: OptionalInt8
  /** The maximum age of the price that settles the order. Null for settled orders older than the column. */
  max_tick_age_ms: OptionalInt4
  /** The provider's number of the entry price; null where it gives none. */
  entry_ref: OptionalInt8
  /** The evidence class of the source of the entry price: `ids`, `computed` or `none`. Null for orders under rule 1. */
  evidence: string | null
}
