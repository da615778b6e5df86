import { type Kysely, type Migration, sql } from 'kysely'

/**
 * What the orders of each day (since 1970, UTC) come to for the figures of the fairness page, counted once as the orders are
 * closed: reading all orders of ninety days once an hour takes longer than an hour where many are taken.
 */
export const fairnessDays: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    for (const statement of STATEMENTS) await sql.raw(statement).execute(db)
  },
}

const STATEMENTS = [
  // With as many of its users as it takes to know whether they are enough to be shown.
  `create table fairness_line (
    day int4 not null,
    is_bot boolean not null,
    symbol_id int4 not null,
    seconds int4 not null,
    profit_basis_points int4 not null,
    wins int8 not null,
    losses int8 not null,
    draws int8 not null,
    voids int8 not null,
    some_users uuid[] not null,
    primary key (day, is_bot, symbol_id, seconds, profit_basis_points)
  )`,
  // What the orders of a user came to, and of how many it is stored when their request came.
  `create table fairness_user (
    day int4 not null,
    user_id uuid not null,
    is_bot boolean not null,
    result int8 not null,
    timed int8 not null,
    primary key (day, user_id)
  ) with (fillfactor = 60)`,
  // How many orders took so many milliseconds.
  `create table fairness_time (
    day int4 not null,
    is_bot boolean not null,
    kind text not null check (kind in ('acceptance', 'lateness')),
    ms int8 not null,
    count int8 not null,
    primary key (day, is_bot, kind, ms)
  ) with (fillfactor = 60)`,
]
