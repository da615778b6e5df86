import { type Kysely, type Migration, sql } from 'kysely'

/**
 * Each order writes a history row and three transfers, with an entry in every index. Common kinds of rows are found quickly in the list of
 * the newest. So only rare kinds, accounts and results have indexes.
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
  // A transfer has at most one house account. The trading account is in every third.
  `create index transfer_house on transfer (
    (case when from_account like 'house:%' then from_account else to_account end), created_ms desc, ref desc, step desc)
    where (from_account like 'house:%' or to_account like 'house:%')
      and from_account <> 'house:trading' and to_account <> 'house:trading'`,

  `drop index order_history_result`,
  `create index order_history_draw on order_history (opened_ms desc, id desc) where result = 3 and void_reason is null`,
  // Orders are settled roughly in log order. With this index, a long order among short ones does not widen the range of its page.
  `drop index order_history_entry`,
  `create index order_history_entry on order_history using brin (entry_seq int8_minmax_multi_ops)`,
]
