import { type Kysely, type Migration, sql } from 'kysely'

/**
 * Daily totals of orders (days since 1970, UTC) for the fairness page, counted once when orders are settled. Reading all orders of ninety
 * days every hour would take longer than an hour on a busy site.
 */
export const fairnessDays: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    for (const statement of STATEMENTS) await sql.raw(statement).execute(db)
  },
}

const STATEMENTS = [
  // Includes enough of its users to decide whether there are enough to publish the line.
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
  // Totals of a user's orders, and the number of those with a stored request time.
  `create table fairness_user (
    day int4 not null,
    user_id uuid not null,
    is_bot boolean not null,
    result int8 not null,
    timed int8 not null,
    primary key (day, user_id)
  ) with (fillfactor = 60)`,
  // The number of orders that took this many milliseconds.
  `create table fairness_time (
    day int4 not null,
    is_bot boolean not null,
    kind text not null check (kind in ('acceptance', 'lateness')),
    ms int8 not null,
    count int8 not null,
    primary key (day, is_bot, kind, ms)
  ) with (fillfactor = 60)`,
]
