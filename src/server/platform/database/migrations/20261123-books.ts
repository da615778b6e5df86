import { type Kysely, type Migration, sql } from 'kysely'

/** Indexes for each list of the ledger in the back office, and the result of the last check. */
export const books: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    for (const statement of STATEMENTS) await sql.raw(statement).execute(db)
  },
}

const STATEMENTS = [
  `create table ledger_check (
    id int4 primary key,
    checked_ms int8 not null,
    took_ms int4 not null,
    report jsonb not null
  )`,

  `create index admin_action_area on admin_action (split_part(translate(what, ' ', '/'), '/', 1), at_ms desc, id desc)`,
  `drop index admin_action_what`,

  `create index open_order_newest on open_order (opened_ms desc, id desc)`,
  `create index open_order_trx on open_order (trx text_pattern_ops)`,
  `create index order_history_newest on order_history (opened_ms desc, id desc)`,
  `create index order_history_user_newest on order_history (user_id, opened_ms desc, id desc)`,
  `create index order_history_result on order_history (result, opened_ms desc, id desc)`,
  `create index order_history_void on order_history (opened_ms desc, id desc) where void_reason is not null`,
  `drop index order_history_symbol`,
  `create index order_history_symbol on order_history (symbol_id, opened_ms desc, id desc)`,
  `drop index order_history_trx`,
  `create index order_history_trx on order_history (trx text_pattern_ops)`,

  `create index transfer_newest on transfer (created_ms desc, ref desc, step desc)`,
  `create index transfer_user on transfer (user_id, created_ms desc, ref desc, step desc)`,
  `create index transfer_kind on transfer (kind, created_ms desc, ref desc, step desc)`,
  // A transfer has at most one house account.
  `create index transfer_house on transfer (
    (coalesce(substring(from_account from '^house:.*'), substring(to_account from '^house:.*'))),
    created_ms desc, ref desc, step desc)
    where coalesce(substring(from_account from '^house:.*'), substring(to_account from '^house:.*')) is not null`,
  `create index transfer_rare on transfer (created_ms desc, ref desc, step desc)
    where from_account in ('withdrawing', 'credits') or to_account in ('withdrawing', 'credits')`,
]
