import { type Kysely, type Migration, sql } from 'kysely'

/**
 * Each order had six entries in indexes that only lists of transfers use. Transfers of orders are now found through their orders, and only
 * other kinds are in these indexes. Each condition begins with the kind, so that rows of orders are skipped at once.
 */
export const listsByOrders: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    for (const statement of STATEMENTS) await sql.raw(statement).execute(db)
  },
}

const OTHERS = `kind not in ('order_stake', 'order_win', 'order_lose', 'order_profit')`

const STATEMENTS = [
  `drop index transfer_newest`,
  `create index transfer_newest on transfer (created_ms desc, ref desc, step desc) where ${OTHERS}`,
  `drop index transfer_user`,
  `create index transfer_user on transfer (user_id, created_ms desc, ref desc, step desc) where ${OTHERS}`,
  // A transfer has at most one house account.
  `drop index transfer_house`,
  `create index transfer_house on transfer (
    (case when from_account like 'house:%' then from_account else to_account end), created_ms desc, ref desc, step desc)
    where ${OTHERS} and (from_account like 'house:%' or to_account like 'house:%')`,
  `drop index transfer_rare`,
  `create index transfer_rare on transfer (created_ms desc, ref desc, step desc)
    where ${OTHERS}
      and (from_account in ('withdrawing', 'credits') or to_account in ('withdrawing', 'credits'))`,
  `create index order_history_user_opened on order_history (user_id, opened_ms desc, id desc)`,
]
