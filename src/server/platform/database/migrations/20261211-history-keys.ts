import { type Kysely, type Migration, sql } from 'kysely'

/**
 * As with open orders: an order settled now was opened recently. Its id (ours, and mostly the client's) begins with the time, so it goes to
 * the end of an index that begins with the id. In one that begins with the user, each went to a different page.
 *
 * The index of open orders is only recreated. While the table is small, the planner rates two indexes equally for a look-up by the client's
 * id, and takes the newest. That was the other one, which it would scan for each order until the next analyze.
 */
export const historyKeys: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    for (const statement of STATEMENTS) await sql.raw(statement).execute(db)
  },
}

const STATEMENTS = [
  `alter table order_history drop constraint order_history_pkey, add primary key (id, user_id)`,
  `drop index order_history_client`,
  `create unique index order_history_client on order_history (client_order_id, user_id)`,
  `drop index open_order_client`,
  `create unique index open_order_client on open_order (user_id, client_order_id)`,
]
