import { type RawBuilder, sql } from 'kysely'

/**
 * Whether earlier statements may have stored sums of this run. A new run has none, so its statement need not add to
 * them.
 */
interface RunState {
  readonly isBegun: boolean
}

/**
 * Stores the totals that each user moved from one account to another. `flows` must select its columns in the order of
 * the inserted columns. Rows are sorted by user, as in every statement that locks these rows.
 */
export function storeFlowSums(flows: RawBuilder<unknown>, { isBegun }: RunState): RawBuilder<unknown> {
  const orAdd = sql`
          on conflict (run, user_id, currency, from_account, to_account) do update
            set amount = kept.amount + excluded.amount, transfers = kept.transfers + excluded.transfers`
  return sql`
          insert into ledger_sum as kept (run, user_id, currency, from_account, to_account, amount, transfers)
          ${flows} order by user_id ${isBegun ? orAdd : sql``}`
}

/** Stores the totals staked, won and lost in settled orders. These rows are sorted by user too. */
export function storeOrderSums(orders: RawBuilder<unknown>, { isBegun }: RunState): RawBuilder<unknown> {
  const orAdd = sql`
          on conflict (run, user_id) do update
            set staked = kept.staked + excluded.staked, won = kept.won + excluded.won, lost = kept.lost + excluded.lost`
  return sql`
          insert into ledger_order_sum as kept (run, user_id, staked, won, lost)
          ${orders} order by user_id ${isBegun ? orAdd : sql``}`
}
