import type { BaselineRoom } from '#server/platform/database/migrations/baseline/baseline-room.ts'

export const proof: BaselineRoom = {
  tables: [
    `-- The latest figures of the fairness page: one row that all servers answer with.
    create table fairness_figures (
      id int4 primary key,
      computed_ms int8 not null,
      figures jsonb not null,
      constraint fairness_figures_id_check check (id = 1)
    )`,
    `-- Totals of settled orders by day (days since 1970, UTC), counted once.
    create table fairness_line (
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
    `-- How many orders took how many milliseconds.
    create table fairness_time (
      day int4 not null,
      is_bot boolean not null,
      kind text not null,
      ms int8 not null,
      count int8 not null,
      primary key (day, is_bot, kind, ms),
      constraint fairness_time_kind_check check (kind in ('acceptance', 'lateness'))
    ) with (fillfactor=60)`,
    `-- Totals of the orders of each user.
    create table fairness_user (
      day int4 not null,
      user_id uuid not null,
      is_bot boolean not null,
      result int8 not null,
      timed int8 not null,
      primary key (day, user_id)
    ) with (fillfactor=60)`,
    `-- Balances at the time of a proof. They do not refer to accounts, which may change later.
    create table liability_account (
      day int4 not null,
      user_id uuid not null,
      cash int8 not null,
      staked int8 not null,
      withdrawing int8 not null,
      salt bytea not null,
      parts bytea not null,
      primary key (day, user_id),
      constraint liability_account_cash_check check (cash >= 0),
      constraint liability_account_staked_check check (staked >= 0),
      constraint liability_account_withdrawing_check check (withdrawing >= 0)
    )`,
    `-- The daily proof of liabilities. A row is added once and never changed.
    create table liability_day (
      number int4 primary key,
      day int4 not null,
      taken_ms int8 not null,
      currency text not null,
      leaves int4 not null,
      total int8 not null,
      root bytea not null,
      previous_head bytea not null,
      head bytea not null,
      constraint liability_day_day_key unique (day),
      constraint liability_day_previous_head_key unique (previous_head),
      constraint liability_day_number_check check (number > 0),
      constraint liability_day_head_key unique (head),
      constraint liability_day_total_check check (total >= 0)
    )`,
    `-- Every eighth level of the tree, in rows of up to 256 places. The levels between are hashed again when asked for.
    create table liability_node (
      day int4 not null,
      level int4 not null,
      chunk int4 not null,
      places bytea not null,
      primary key (day, level, chunk)
    )`,
    `-- Finished days of the tick log, each covering the one before by its hashes.
    create table log_day (
      day int4 primary key,
      first_seq int8 not null,
      last_seq int8 not null,
      previous_hash bytea not null,
      hash bytea not null,
      noted_ms int8 not null,
      constraint log_day_check check (last_seq >= first_seq)
    )`,
    `-- Receipts of orders that were accepted, or settled, together: the leaves of one tree in this order, and the signature of
    -- its root.
    create table receipt_batch (
      id uuid primary key,
      kind text not null,
      first_ms int8 not null,
      last_ms int8 not null,
      signature text not null,
      made_ms int8 not null,
      keys bytea not null,
      constraint receipt_batch_check check (last_ms >= first_ms),
      constraint receipt_batch_keys_check check ((length(keys) > 0) and ((length(keys) % 32) = 0)),
      constraint receipt_batch_kind_check check (kind in ('accepted', 'result'))
    )`,
    `-- Public keys of signatures. A second row retires a key, so no row changes.
    create table signing_key (
      kid text not null,
      event text not null,
      public_x text not null,
      at_ms int8 not null,
      primary key (kid, event),
      constraint signing_key_event_check check (event in ('made', 'retired'))
    )`,
  ],
  functions: [
    `create function liability_day_is_append_only()
 returns trigger
 language plpgsql
as $function$ begin raise exception 'liability_day is only ever added to'; end $function$`,
    `-- Ranges of the log that receipts need and that touch these places.
create function receipt_stretches(from_seq int8, to_seq int8)
 returns table(since_seq int8, until_seq int8)
 language sql
 stable
 set search_path from current
as $function$
    select entry_seq, greatest(entry_seq, head_seq) from open_order where entry_seq <= to_seq and head_seq >= from_seq
    union
    select entry_seq, head_seq from order_history
    where entry_seq between from_seq - 10000 and to_seq and head_seq >= from_seq and head_seq - entry_seq <= 10000
    union
    select entry_seq, head_seq from order_history
    where int8range(entry_seq, greatest(entry_seq, head_seq), '[]') && int8range(from_seq, to_seq, '[]')
      and head_seq - entry_seq > 10000
    union
    select exit_seq, head_seq from settlement_price
    where exit_seq between from_seq - 10000 and to_seq and head_seq >= from_seq and head_seq - exit_seq <= 10000
    union
    select exit_seq, head_seq from settlement_price
    where int8range(exit_seq, greatest(exit_seq, head_seq), '[]') && int8range(from_seq, to_seq, '[]')
      and head_seq - exit_seq > 10000 $function$`,
    `-- An expiry without an exit tick is proved by its whole range: from the last batch before any price could have counted
-- (prices may be 5 s ahead) to the head on which it was decided.
create function void_stretches(from_seq int8, to_ms int8)
 returns table(since_ms int8, until_seq int8)
 language sql
 stable
 set search_path from current
as $function$
    select expires_ms - max_tick_age_ms - 5000, head_seq from settlement_price
    where exit_seq is null and head_seq >= from_seq and expires_ms - max_tick_age_ms - 5000 <= to_ms $function$`,
  ],
  indexes: [
    `-- Finds the batch of an order by the time of its acceptance or settlement.
    create index receipt_batch_time on receipt_batch (kind, last_ms)`,
    `alter table receipt_batch alter column keys set storage external`,
  ],
  triggers: [
    `create trigger liability_day_append_only before delete or update on liability_day for each row execute function liability_day_is_append_only()`,
  ],
}
