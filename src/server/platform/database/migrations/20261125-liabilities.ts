import { type Kysely, type Migration, sql } from 'kysely'

/**
 * The daily proof of what is owed. A day's record is added once, when all that belongs to it is there, and never
 * changed; the leaves and the tree of a day can only go, when they are old.
 */
export const liabilities: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    for (const statement of STATEMENTS) await sql.raw(statement).execute(db)
  },
}

const STATEMENTS = [
  // Days are counted in UTC since 1970.
  `create table liability_day (
    number int4 primary key check (number > 0),
    day int4 not null unique,
    taken_ms int8 not null,
    currency text not null,
    leaves int4 not null,
    total int8 not null check (total >= 0),
    root bytea not null,
    previous_head bytea not null unique,
    head bytea not null unique
  )`,
  `create function liability_day_is_append_only() returns trigger language plpgsql as
    $$ begin raise exception 'liability_day is only ever added to'; end $$`,
  `create trigger liability_day_append_only before update or delete on liability_day
    for each row execute function liability_day_is_append_only()`,

  // What was owed to an account then, whatever becomes of it: there is no reference to it.
  `create table liability_account (
    day int4 not null,
    user_id uuid not null,
    cash int8 not null check (cash >= 0),
    staked int8 not null check (staked >= 0),
    withdrawing int8 not null check (withdrawing >= 0),
    salt bytea not null,
    parts bytea not null,
    primary key (day, user_id)
  )`,

  // Every eighth level of the tree, in rows of up to 256 places; what is between is hashed again when it is asked for.
  `create table liability_node (
    day int4 not null,
    level int4 not null,
    chunk int4 not null,
    places bytea not null,
    primary key (day, level, chunk)
  )`,
]
