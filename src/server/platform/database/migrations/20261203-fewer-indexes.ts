import { type Kysely, type Migration, sql } from 'kysely'

/**
 * Each order writes a row of history and three transfers, and each row an entry in every index. What most rows have in
 * common is found quickly in the list of the newest, so only the rare kinds, accounts and results have indexes.
 */
export const fewerIndexes: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    for (const statement of STATEMENTS) await sql.raw(statement).execute(db)
  },
}

const STATEMENTS = [
  `drop index transfer_kind`,
  `create index transfer_kind on transfer (kind, created_ms desc, ref desc, step desc)
    where kind not in ('order_stake', 'order_win', 'order_lose', 'order_profit')`,
  `drop index transfer_house`,
  // A transfer touches one account of the house at most; that of trading is in every third.
  `create index transfer_house on transfer (
    (case when from_account like 'house:%' then from_account else to_account end), created_ms desc, ref desc, step desc)
    where (from_account like 'house:%' or to_account like 'house:%')
      and from_account <> 'house:trading' and to_account <> 'house:trading'`,

  `drop index order_history_result`,
  `create index order_history_draw on order_history (opened_ms desc, id desc) where result = 3 and void_reason is null`,
  // Orders end about in the order of the log; a long one among short ones does not widen what this keeps of a page.
  `drop index order_history_entry`,
  `create index order_history_entry on order_history using brin (entry_seq int8_minmax_multi_ops)`,
]
