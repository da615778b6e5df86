import { type Kysely, type Migration, sql } from 'kysely'

/** The operator's market settings: added symbols, payouts with their history, and planned closures. */
export const venues: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    for (const statement of STATEMENTS) await sql.raw(statement).execute(db)
  },
}

const STATEMENTS = [
  // A symbol's price source, and its name there. Never changed, because prices of two sources must not mix.
  `alter table market_symbol add column source text not null default ''`,
  `alter table market_symbol add column provider_symbol text not null default ''`,
  `alter table market_symbol add column version int4 not null default 1`,
  `create index market_symbol_order on market_symbol (sort, id)`,

  // Pictures of symbols, resized. The name is derived from the content.
  `create table symbol_picture (
    name text primary key,
    bytes bytea not null,
    created_ms int8 not null
  )`,

  // A changed maximum price age does not affect open orders: expiries up to a moment keep the old one.
  `create table tick_age_before (
    symbol_id int4 not null references market_symbol (id),
    until_ms int8 not null,
    max_tick_age_ms int4 not null,
    primary key (symbol_id, until_ms)
  )`,

  // The payout of new orders, the same for all users, from an announced moment on. Never edited.
  `create table payout_version (
    trade_setting_id int4 not null references trade_setting (id),
    version int4 not null,
    profit_basis_points int4 not null check (profit_basis_points > 0),
    applies_from_ms int8 not null,
    announced_ms int8 not null,
    who text not null default '',
    primary key (trade_setting_id, version)
  )`,
  `insert into payout_version (trade_setting_id, version, profit_basis_points, applies_from_ms, announced_ms)
    select id, 1, profit_basis_points, 0, 0 from trade_setting`,
  `create index payout_version_time on payout_version (announced_ms, trade_setting_id, version)`,
  `alter table trade_setting drop column profit_basis_points`,
  `alter table trade_setting add column version int4 not null default 1`,
  `create unique index trade_setting_length on trade_setting (seconds)`,
  `alter table quick_amount add column version int4 not null default 1`,
  `create index quick_amount_amount on quick_amount (amount)`,

  // Null reason: the calendar decides again.
  `alter table market_closure alter column reason drop not null`,
  `alter table market_closure add column version int4 not null default 1`,
  `create table market_exception (
    id uuid primary key,
    market_type text not null check (market_type in ('crypto', 'us_stocks', 'us_fx')),
    from_ms int8 not null,
    to_ms int8 not null,
    reason text not null,
    who text not null,
    created_ms int8 not null,
    check (to_ms > from_ms)
  )`,
  `create index market_exception_end on market_exception (to_ms)`,
  `create index market_exception_begin on market_exception (from_ms, id)`,
]
