import { type Kysely, type Migration, sql } from 'kysely'

/**
 * As with open orders: what is settled now was opened last, so by an id that begins with the time (ours, and mostly the client's) it
 * goes to the end of the index, beside its like; in one that begins with the user each goes to a page of its own.
 *
 * That of open orders is only made again. While they are few, the planner finds two indexes as good for a look-up by the client's id,
 * and takes the newest. It was the other one, which it would read from end to end for each order, until the next analyze.
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
