import type { ColumnType, Generated } from 'kysely'
import type { Int8, Int8WithDefault, Json } from '#server/platform/database/tables/column-types.ts'

/**
 * The tables of the folder `src/server/ledger`. No code outside this folder writes them (exceptions:
 * `table-owners.test.ts`).
 */
export interface LedgerTables {
  balance: {
    user_id: string
    currency: string
    cash: Int8
    staked: Int8
    withdrawing: Int8
    credits: Int8
    open_orders: Generated<number>
    /** How many results of this user have a number. */
    results: Generated<bigint>
    /** Facts about the user account, which the database maintains: verified and allowed to trade. */
    may_trade: ColumnType<boolean, never, never>
    verified: ColumnType<boolean, never, never>
    trade_reason: ColumnType<string, never, never>
    max_stake: ColumnType<bigint | null, never, never>
    max_open_stake: ColumnType<bigint | null, never, never>
    max_stake_reason: ColumnType<string, never, never>
    max_open_stake_reason: ColumnType<string, never, never>
    /** `net_total` is the sum of all results, `stake_total` the sum of the stakes of all ended orders except voids. */
    net_total: Generated<bigint>
    stake_total: Generated<bigint>
    /** The user's own rules about orders, which the database maintains. */
    self_rules: ColumnType<boolean, never, never>
    self_stake_max: ColumnType<bigint | null, never, never>
    loss_day: ColumnType<bigint | null, never, never>
    loss_week: ColumnType<bigint | null, never, never>
    loss_month: ColumnType<bigint | null, never, never>
    staked_day: ColumnType<bigint | null, never, never>
    staked_week: ColumnType<bigint | null, never, never>
    staked_month: ColumnType<bigint | null, never, never>
    /** The end of a time-out; 2^62 during an exclusion. */
    closed_until_ms: ColumnType<bigint | null, never, never>
  }
  /**
   * The totals of a balance at earlier times. The differences to the current totals show how much of a user's own loss
   * and stake limits is used.
   */
  limit_mark: { user_id: string; made_ms: Int8; net_total: Int8; stake_total: Int8 }
  transfer: {
    user_id: string
    ref: string
    step: string
    kind: string
    from_account: string
    to_account: string
    currency: string
    amount: Int8
    created_ms: Int8
  }
  ledger_check: { id: number; checked_ms: Int8; took_ms: number; report: Json }
  ledger_run: {
    id: number
    run: Int8WithDefault
    until_ms: Int8WithDefault
    whole_ms: Int8WithDefault
    whole_took_ms: Int8WithDefault
    recount_run: Int8WithDefault
    recount_until_ms: Int8WithDefault
    recount_started_ms: Int8WithDefault
    recount_worked_ms: Int8WithDefault
    recount_next_ms: Int8WithDefault
    recount_portion: Int8WithDefault
  }
  ledger_sum: {
    run: Int8
    user_id: string
    currency: string
    from_account: string
    to_account: string
    amount: Int8
    transfers: Int8
  }
  ledger_order_sum: { run: Int8; user_id: string; staked: Int8; won: Int8; lost: Int8 }
}
