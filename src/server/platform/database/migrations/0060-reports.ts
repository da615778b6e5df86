import { type Kysely, type Migration, sql } from 'kysely'

const STATEMENTS = [
  `-- Totals of transfers by day (UTC) and kind, of all ('all') and by symbol, length, gateway and country. Each row is
  -- counted once in each dimension, so that every dimension has the same sum.
  create table report_day (
    day int4 not null,
    dimension text not null check (dimension in ('all', 'symbol', 'length', 'gateway', 'country')),
    value text not null,
    kind text not null,
    is_bot boolean not null,
    count int8 not null,
    amount int8 not null,
    primary key (dimension, day, value, kind, is_bot)
  ) with (fillfactor=70)`,
  `-- The same of all transfers by quarter of an hour: the days of every time zone begin at one.
  create table report_slot (
    slot int4 not null,
    kind text not null,
    is_bot boolean not null,
    count int8 not null,
    amount int8 not null,
    primary key (slot, kind, is_bot)
  ) with (fillfactor=70)`,
  `-- Users that placed an order or deposited on a day, with the first and last time of that day.
  create table report_user_day (
    kind text not null check (kind in ('order_stake', 'deposit')),
    day int4 not null,
    user_id uuid not null,
    is_bot boolean not null,
    first_ms int8 not null,
    last_ms int8 not null,
    primary key (kind, day, user_id)
  ) with (fillfactor=70)`,
  `-- The same for periods of many days: bit n of a row is the day 32 * block + n.
  create table report_user_days (
    kind text not null check (kind in ('order_stake', 'deposit')),
    block int4 not null,
    user_id uuid not null,
    is_bot boolean not null,
    days int8 not null check (days between 0 and 4294967295),
    primary key (kind, block, user_id)
  ) with (fillfactor=70)`,
  `create index report_user_day_user on report_user_day (user_id, first_ms) where kind = 'deposit'`,
  `-- Periods that were closed, as the text that the hash is made of.
  create table report_period (
    id uuid primary key,
    zone text not null,
    from_day int4 not null,
    to_day int4 not null check (to_day >= from_day),
    start_ms int8 not null,
    end_ms int8 not null check (end_ms > start_ms),
    figures text not null,
    sha256 bytea not null check (sha256 = sha256(convert_to(figures, 'UTF8'))),
    closed_by text not null,
    closed_ms int8 not null check (closed_ms >= end_ms + 3600000),
    unique (zone, from_day, to_day)
  )`,
  `-- The latest comparison of a closed period, or of all totals ('now'), with the ledger.
  create table report_check (
    subject text primary key,
    difference int8 not null check (difference >= 0),
    checked_ms int8 not null
  )`,
  `-- The country of each account, and since when. Accounts without a country have no row.
  create table user_country_since (
    user_id uuid not null references app_user,
    since_ms int8 not null,
    country text not null,
    primary key (user_id, since_ms)
  )`,
  `insert into user_country_since (user_id, since_ms, country)
  select id, created_ms, country_code from app_user where country_code <> ''`,
  `create function keep_first_country() returns trigger language plpgsql security definer set search_path from current as $$
  begin
    insert into user_country_since (user_id, since_ms, country) values (new.id, new.created_ms, new.country_code);
    return null;
  end $$`,
  `create trigger app_user_first_country after insert on app_user for each row when (new.country_code <> '')
    execute function keep_first_country()`,
]

/** Totals of transfers for reports, closed periods, and the country of an account at each time. */
export const reports: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    for (const statement of STATEMENTS) await sql.raw(statement).execute(db)
  },
}
