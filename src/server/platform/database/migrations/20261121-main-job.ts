import { type Kysely, type Migration, sql } from 'kysely'

/**
 * Everything the main job needs: accounts, markets, the tick log, orders, the ledger, deposits.
 *
 * Instants are int8 milliseconds UTC (`…_ms`), money int8 minor units, prices int8 units of the symbol's tick size.
 * Every table that a user owns starts its key with `user_id`, so that it can be spread by it.
 */
export const mainJob: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    for (const statement of STATEMENTS) await sql.raw(statement).execute(db)
  },
}

const STATEMENTS = [
  `create table setting (
    key text primary key,
    value jsonb not null,
    updated_ms int8 not null
  )`,

  // Accounts. `verified` is the specification's `ev`; `trade_allowed` its trade status, with a reason the user sees.
  `create table app_user (
    id uuid primary key,
    username text not null,
    email text,
    mobile text not null,
    mobile_code text not null default '',
    country_code text not null default '',
    firstname text not null default '',
    lastname text not null default '',
    address jsonb not null default '{}',
    password_hash text not null,
    pin_hash text,
    image_path text,
    language text not null default 'en',
    invitation_code text,
    verified boolean not null default false,
    trade_allowed boolean not null default true,
    trade_reason text not null default '',
    is_bot boolean not null default false,
    created_ms int8 not null
  )`,
  `create unique index app_user_username on app_user (lower(username))`,
  `create index app_user_email on app_user (lower(email))`,
  `create index app_user_mobile on app_user (mobile)`,

  `create table session (
    token_hash bytea primary key,
    user_id uuid not null references app_user (id),
    created_ms int8 not null,
    expires_ms int8 not null,
    user_agent text not null default '',
    ip text not null default ''
  )`,
  `create index session_by_user on session (user_id)`,

  // Codes are stored hashed, live ten minutes and work once; wrong tries are counted across codes of one kind.
  `create table one_time_code (
    user_id uuid not null references app_user (id),
    kind text not null,
    code_hash text not null,
    sent_to text not null,
    created_ms int8 not null,
    expires_ms int8 not null,
    primary key (user_id, kind)
  )`,
  `create table attempt (
    key text primary key,
    count int4 not null,
    window_start_ms int8 not null,
    locked_until_ms int8 not null default 0
  )`,

  // Messages for the outbox page, when neither mail nor SMS is configured.
  `create table outbox_message (
    id uuid primary key,
    sent_to text not null,
    kind text not null,
    code text not null,
    text text not null,
    sent_ms int8 not null
  )`,
  `create index outbox_message_to on outbox_message (sent_to, sent_ms desc)`,

  `create table market_symbol (
    id int4 primary key,
    code text not null unique,
    name text not null,
    market_type text not null check (market_type in ('crypto', 'us_stocks', 'us_fx')),
    decimals int4 not null check (decimals between 0 and 8),
    max_tick_age_ms int4 not null check (max_tick_age_ms > 0),
    is_featured boolean not null default false,
    color text not null default '',
    image text not null default '',
    is_listed boolean not null default true,
    closed_reason text,
    sort int4 not null
  )`,
  // Null reason: the calendar decides. Otherwise closed manually for all users until the reason is cleared.
  `create table market_closure (
    market_type text primary key,
    reason text not null,
    since_ms int8 not null
  )`,
  `create table trade_setting (
    id int4 primary key,
    seconds int4 not null check (seconds > 0),
    unit text not null check (unit in ('minute', 'hour', 'day')),
    min_amount int8 not null check (min_amount > 0),
    max_amount int8 not null check (max_amount >= min_amount),
    profit_basis_points int4 not null check (profit_basis_points > 0),
    is_offered boolean not null default true
  )`,
  `create table quick_amount (id int4 primary key, amount int8 not null check (amount > 0))`,
  `create table favorite (
    user_id uuid not null references app_user (id),
    symbol_id int4 not null references market_symbol (id),
    primary key (user_id, symbol_id)
  )`,

  // The tick log: append-only batches, each hash covering the one before. Readers see a tick only once it is here.
  `create table tick_batch (
    first_seq int8 primary key,
    last_seq int8 not null,
    first_time_ms int8 not null,
    last_time_ms int8 not null,
    written_ms int8 not null,
    payload text not null,
    previous_hash bytea not null,
    hash bytea not null
  )`,
  `create unique index tick_batch_previous on tick_batch (previous_hash)`,
  `create index tick_batch_time on tick_batch (last_time_ms)`,

  // Closed candles folded from our own ticks.
  `create table candle (
    symbol_id int4 not null,
    interval text not null,
    open_ms int8 not null,
    open int8 not null,
    high int8 not null,
    low int8 not null,
    close int8 not null,
    volume int8 not null,
    primary key (symbol_id, interval, open_ms)
  )`,

  // The ledger. A transfer moves an amount between two accounts of one user, or between one of them and the house.
  `create table transfer (
    user_id uuid not null,
    ref uuid not null,
    step text not null,
    kind text not null,
    from_account text not null,
    to_account text not null check (to_account <> from_account),
    currency text not null,
    amount int8 not null check (amount > 0),
    created_ms int8 not null,
    primary key (user_id, ref, step)
  )`,
  `create table balance (
    user_id uuid not null references app_user (id),
    currency text not null,
    cash int8 not null default 0 check (cash >= 0),
    staked int8 not null default 0 check (staked >= 0),
    withdrawing int8 not null default 0 check (withdrawing >= 0),
    credits int8 not null default 0 check (credits >= 0),
    open_orders int4 not null default 0 check (open_orders >= 0),
    primary key (user_id, currency)
  ) with (fillfactor = 70)`,

  // Open orders are few and short-lived: a small table with an index of due orders. Settled orders move to order_history.
  `create table open_order (
    user_id uuid not null,
    id uuid not null,
    client_order_id text not null,
    trx text not null,
    symbol_id int4 not null,
    trade_setting_id int4 not null,
    seconds int4 not null,
    direction int2 not null check (direction in (1, 2)),
    stake int8 not null check (stake > 0),
    profit_basis_points int4 not null,
    rule_version int4 not null,
    entry_seq int8 not null,
    entry_price int8 not null,
    entry_time_ms int8 not null,
    entry_source text not null,
    opened_ms int8 not null,
    expires_ms int8 not null check (expires_ms > opened_ms),
    primary key (user_id, id)
  )`,
  `create unique index open_order_client on open_order (user_id, client_order_id)`,
  `create index open_order_due on open_order (symbol_id, expires_ms)`,
  `create table order_history (
    user_id uuid not null,
    id uuid not null,
    client_order_id text not null,
    trx text not null,
    symbol_id int4 not null,
    trade_setting_id int4 not null,
    seconds int4 not null,
    direction int2 not null,
    stake int8 not null,
    profit_basis_points int4 not null,
    rule_version int4 not null,
    entry_seq int8 not null,
    entry_price int8 not null,
    entry_time_ms int8 not null,
    entry_source text not null,
    opened_ms int8 not null,
    expires_ms int8 not null,
    result int2 not null check (result in (1, 2, 3)),
    result_amount int8 not null,
    balance_after int8 not null,
    exit_seq int8,
    exit_price int8,
    exit_time_ms int8,
    void_reason text,
    settled_ms int8 not null,
    primary key (user_id, id)
  )`,
  `create unique index order_history_client on order_history (user_id, client_order_id)`,
  `create index order_history_user on order_history (user_id, settled_ms desc)`,
  `create index order_history_trx on order_history (trx)`,
  `create index order_history_symbol on order_history (symbol_id, opened_ms desc)`,

  // The price that settles every order of one symbol and expiry: written once, first writer wins.
  `create table settlement_price (
    symbol_id int4 not null,
    expires_ms int8 not null,
    exit_seq int8,
    exit_price int8,
    exit_time_ms int8,
    next_seq int8,
    next_price int8,
    next_time_ms int8,
    watermark_ms int8 not null,
    void_reason text check ((void_reason is null) = (exit_seq is not null)),
    decided_ms int8 not null,
    primary key (symbol_id, expires_ms)
  )`,
  // Results that the user's device has not confirmed yet.
  `create table result_delivery (
    user_id uuid not null,
    order_id uuid not null,
    created_ms int8 not null,
    primary key (user_id, order_id)
  )`,

  `create table gateway (
    id int4 primary key,
    kind text not null check (kind in ('deposit', 'withdraw')),
    name text not null,
    image text not null default '',
    currency text not null,
    min_amount int8 not null check (min_amount > 0),
    max_amount int8 not null check (max_amount >= min_amount),
    fixed_charge int8 not null default 0 check (fixed_charge >= 0),
    percent_charge_basis_points int4 not null default 0 check (percent_charge_basis_points >= 0),
    rate_millionths int8 not null check (rate_millionths > 0),
    wallet_address text not null default '',
    description text not null default '',
    form jsonb not null default '[]',
    is_automatic boolean not null default false,
    is_offered boolean not null default true,
    sort int4 not null
  )`,
  `create table deposit (
    user_id uuid not null references app_user (id),
    id uuid not null,
    trx text not null,
    gateway_id int4 not null references gateway (id),
    status int2 not null check (status in (1, 2, 3)),
    currency text not null,
    amount int8 not null check (amount > 0),
    percent_charge int8 not null,
    fixed_charge int8 not null,
    total int8 not null,
    rate_millionths int8 not null,
    credited int8 not null check (credited > 0),
    fields jsonb not null default '{}',
    feedback text not null default '',
    created_ms int8 not null,
    decided_ms int8,
    primary key (user_id, id)
  )`,
  `create index deposit_user on deposit (user_id, created_ms desc)`,
]
