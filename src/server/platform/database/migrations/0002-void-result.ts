import { type Kysely, type Migration, sql } from 'kysely'

const STATEMENTS = [
  `alter table order_history drop constraint order_history_result_check`,
  `update order_history set result = 4 where void_reason is not null`,
  `alter table order_history add constraint order_history_result_check
    check (result in (1, 2, 3, 4) and (result = 4) = (void_reason is not null))`,
  `drop index order_history_draw`,
  `create index order_history_draw on order_history (opened_ms desc, id desc) where result = 3`,
  `drop index order_history_void`,
  `create index order_history_void on order_history (opened_ms desc, id desc) where result = 4`,
  `drop index order_history_refunded`,
  `-- For the public list of incidents. Expiries without a price are few, so the index costs orders nothing.
  create index order_history_refunded on order_history (symbol_id, expires_ms) where result = 4`,
]

/** A void order gets the separate result 4. The baseline stores it as a draw with a reason. */
export const voidResult: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    for (const statement of STATEMENTS) await sql.raw(statement).execute(db)
  },
}
