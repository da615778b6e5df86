import { type Kysely, type Migration, sql } from 'kysely'

/**
 * A user's results are numbered from 1, without gaps, in commit order, because settling locks the user's balance. So one row per user
 * stores which results were seen, with the number up to which all were. Before, each result needed a row of its own until it was seen.
 *
 * Servers of the previous version cannot settle with this schema: stop them first.
 */
export const numberedResults: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    for (const statement of STATEMENTS) await sql.raw(statement).execute(db)
  },
}

const STATEMENTS = [
  // The number of this user's numbered results.
  `alter table balance add column results int8 not null default 0 check (results >= 0)`,
  // Null for older results, which count as seen.
  `alter table order_history add column result_number int8`,
  // Every result up to a number, and single ones after it.
  `create table result_seen (
    user_id uuid primary key,
    until_number int8 not null,
    beyond int8[] not null
  ) with (fillfactor = 70)`,

  // Unseen results get the first numbers.
  `update order_history o set result_number = d.number
    from (
      select d.user_id, d.order_id, row_number() over (partition by d.user_id order by h.settled_ms, h.id) as number
      from result_delivery d join order_history h on h.id = d.order_id and h.user_id = d.user_id
    ) d
    where o.id = d.order_id and o.user_id = d.user_id`,
  `update balance b set results = d.results
    from (select user_id, count(*) as results from order_history where result_number is not null group by user_id) d
    where b.user_id = d.user_id and b.currency = 'USDT'`,
  `drop table result_delivery`,
]
