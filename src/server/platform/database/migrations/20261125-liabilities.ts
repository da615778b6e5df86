import { type Kysely, type Migration, sql } from 'kysely'

/**
 * The daily proof of liabilities. A day's record is inserted once, after all data that belongs to it, and never changed. The leaves and
 * tree of an old day can only be deleted.
 */
export const liabilities: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    for (const statement of STATEMENTS) await sql.raw(statement).execute(db)
  },
}

const STATEMENTS = [
  // Days since 1970, in UTC.
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

  // The liability to an account on that day. There is no foreign key, so it stays whatever happens to the account.
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

  // Every eighth level of the tree, in rows of up to 256 nodes. Levels in between are computed on request.
  `create table liability_node (
    day int4 not null,
    level int4 not null,
    chunk int4 not null,
    places bytea not null,
    primary key (day, level, chunk)
  )`,
]
