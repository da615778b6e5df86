import { type Kysely, type Migration, sql } from 'kysely'

/**
 * The results of a user are numbered from 1 on, without a gap, in the order they are committed (whoever settles has the user's
 * balance locked). So which of them were seen is one row of each user, with the number until which all were: a result needed a
 * row of its own before, written when it was settled and removed when it was seen.
 *
 * Servers of the last version cannot settle beside it: stop them first.
 */
export const numberedResults: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    for (const statement of STATEMENTS) await sql.raw(statement).execute(db)
  },
}

const STATEMENTS = [
  // How many results of this user have a number.
  `alter table balance add column results int8 not null default 0 check (results >= 0)`,
  // Null for those of before, which count as seen.
  `alter table order_history add column result_number int8`,
  // All until a number, and some beyond it.
  `create table result_seen (
    user_id uuid primary key,
    until_number int8 not null,
    beyond int8[] not null
  ) with (fillfactor = 70)`,

  // Those that nobody has seen yet are the first.
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
