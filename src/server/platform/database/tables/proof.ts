import type { Int8, Int8OrNull, Json, Bytes, LogNumber } from '#server/platform/database/tables/column-types.ts'
import type { DecisionColumns } from '#server/platform/database/tables/trading.ts'

/**
 * The tables of the folder `src/server/proof`. No code outside this folder writes them (exceptions:
 * `table-owners.test.ts`).
 */
export interface ProofTables {
  receipt_batch: {
    id: string
    kind: string
    first_ms: Int8
    last_ms: Int8
    keys: Uint8Array
    signature: string
    made_ms: Int8
  }
  register_batch: { log: LogNumber; batch_id: string; index: Int8 }
  signing_key: { kid: string; event: string; public_x: string; at_ms: Int8 }
  log_day: {
    day: number
    first_seq: Int8
    last_seq: Int8
    previous_hash: Uint8Array
    hash: Uint8Array
    noted_ms: Int8
  }
  liability_day: {
    number: number
    day: number
    taken_ms: Int8
    currency: string
    leaves: number
    total: Int8
    root: Bytes
    previous_head: Bytes
    head: Bytes
  }
  liability_account: {
    day: number
    user_id: string
    cash: Int8
    staked: Int8
    withdrawing: Int8
    salt: Bytes
    parts: Bytes
  }
  liability_node: { day: number; level: number; chunk: number; places: Bytes }
  fairness_figures: { id: number; computed_ms: Int8; figures: Json }
  fairness_line: {
    day: number
    is_bot: boolean
    symbol_id: number
    seconds: number
    profit_basis_points: number
    wins: Int8
    losses: Int8
    draws: Int8
    voids: Int8
    some_users: string[]
  }
  fairness_user: { day: number; user_id: string; is_bot: boolean; result: Int8; timed: Int8 }
  order_end_day: {
    day: number
    is_bot: boolean
    symbol_id: number
    evidence: string
    /** The void reason of a void order, else `late` or `in_time`. */
    cause: string
    /** Whether no server ran at the expiry of a void order. */
    is_down: boolean
    orders: Int8
  }
  void_stand: {
    symbol_id: number
    source: string
    expires_ms: Int8
    would_win: number
    would_lose: number
    would_draw: number
    missed_by_users: Int8
    kept_by_users: Int8
    first_after_q: Int8
  }
  record_check: DecisionColumns & {
    noted_ms: Int8
    asked_ms: Int8OrNull
    first_ms: Int8OrNull
    /** The first reading of the provider's history, as JSON. */
    first_reading: string | null
    read_ms: Int8OrNull
    reading: string | null
    /** When the payments of the affected orders were computed. */
    closed_ms: Int8OrNull
  }
  made_good: DecisionColumns & {
    order_id: string
    user_id: string
    /** The result according to the provider's history. */
    result: number
    amount: Int8
    noted_ms: Int8
    /** The earliest time of the payment. */
    due_ms: Int8
    paid_ms: Int8OrNull
  }
  record_audit: DecisionColumns & { chosen_ms: Int8; asked_ms: Int8OrNull; is_equal: boolean | null }
  record_audit_mark: { id: number; decided_ms: Int8 }
  symbol_pause: { symbol_id: number; from_ms: Int8; until_ms: Int8 }
  fairness_time: { day: number; is_bot: boolean; kind: string; ms: Int8; count: Int8 }
}
