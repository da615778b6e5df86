import type { BaselineRoom } from '#server/platform/database/migrations/baseline/baseline-room.ts'

/** Orders. */
export const trading: BaselineRoom = {
  tables: [
    `-- Symbols that a user has marked.
    create table favorite (
      user_id uuid not null,
      symbol_id int4 not null,
      primary key (user_id, symbol_id)
    )`,
    `-- Open orders are few and short-lived. Settlement moves them to order_history. entry_seq and head_seq are places in the
    -- tick log.
    create table open_order (
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
      head_seq int8,
      received_ms int8,
      constraint open_order_check check (expires_ms > opened_ms),
      constraint open_order_direction_check check (direction in (1, 2)),
      constraint open_order_stake_check check (stake > 0)
    ) with (autovacuum_vacuum_threshold=10000, autovacuum_vacuum_scale_factor=0.02)`,
    `-- Settled orders. The key begins with an id that begins with the time, so new rows go to the end of the index.
    create table order_history (
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
      result int2 not null,
      result_amount int8 not null,
      balance_after int8 not null,
      exit_seq int8,
      exit_price int8,
      exit_time_ms int8,
      void_reason text,
      settled_ms int8 not null,
      head_seq int8,
      received_ms int8,
      result_number int8,
      constraint order_history_result_check check (result in (1, 2, 3))
    ) with (autovacuum_vacuum_insert_scale_factor=0, autovacuum_vacuum_insert_threshold=200000, autovacuum_analyze_scale_factor=0.05)`,
    `-- The price that settles every order of one symbol and expiry. The first writer wins, and the row never changes.
    create table settlement_price (
      symbol_id int4 not null,
      expires_ms int8 not null,
      exit_seq int8,
      exit_price int8,
      exit_time_ms int8,
      next_seq int8,
      next_price int8,
      next_time_ms int8,
      watermark_ms int8 not null,
      void_reason text,
      decided_ms int8 not null,
      head_seq int8,
      max_tick_age_ms int4,
      primary key (symbol_id, expires_ms),
      constraint settlement_price_check check ((void_reason is null) = (exit_seq is not null))
    )`,
  ],
  indexes: [
    `create index open_order_due on open_order (symbol_id, expires_ms)`,
    `-- Ranges of the log that receipts of open orders need, for retention.
    create index open_order_long on open_order using gist (int8range(entry_seq, GREATEST(entry_seq, head_seq), '[]')) where (head_seq - entry_seq) > 10000`,
    `alter table open_order add primary key (id, user_id)`,
    `create unique index open_order_client on open_order (user_id, client_order_id)`,
    `create index order_history_user on order_history (user_id, settled_ms desc)`,
    `create index order_history_newest on order_history (opened_ms desc, id desc)`,
    `create index order_history_void on order_history (opened_ms desc, id desc) where void_reason is not null`,
    `create index order_history_symbol on order_history (symbol_id, opened_ms desc, id desc)`,
    `create index order_history_trx on order_history (trx text_pattern_ops)`,
    `-- Covers all that the daily totals count, so that a day is counted from the index alone.
    create index order_history_settled on order_history (settled_ms) include (user_id, symbol_id, stake, result_amount)`,
    `create index order_history_exit on order_history using brin (exit_seq)`,
    `-- For the public list of incidents. Expiries without a price are few, so the index costs orders nothing.
    create index order_history_refunded on order_history (symbol_id, expires_ms) where void_reason is not null`,
    `create index order_history_long on order_history using gist (int8range(entry_seq, GREATEST(entry_seq, head_seq), '[]')) where (head_seq - entry_seq) > 10000`,
    `create index order_history_draw on order_history (opened_ms desc, id desc) where (result = 3) and (void_reason is null)`,
    `-- References to ticks by place. Results arrive in the order of the log, so a block range index is enough.
    create index order_history_entry on order_history using brin (entry_seq int8_minmax_multi_ops)`,
    `alter table order_history add primary key (id, user_id)`,
    `create unique index order_history_client on order_history (client_order_id, user_id)`,
    `create index settlement_price_exit on settlement_price (exit_seq)`,
    `create index settlement_price_next on settlement_price (next_seq)`,
    `create index settlement_price_void on settlement_price (expires_ms) where void_reason is not null`,
    `create index settlement_price_void_of_symbol on settlement_price (symbol_id, expires_ms) where void_reason is not null`,
    `create index settlement_price_long on settlement_price using gist (int8range(exit_seq, GREATEST(exit_seq, head_seq), '[]')) where (head_seq - exit_seq) > 10000`,
    `create index settlement_price_without on settlement_price (head_seq) where (exit_seq is null) and (head_seq is not null)`,
    `create index settlement_price_expiry on settlement_price (expires_ms, symbol_id)`,
  ],
  foreignKeys: [
    `alter table favorite add foreign key (symbol_id) references market_symbol (id)`,
    `alter table favorite add foreign key (user_id) references app_user (id)`,
  ],
}
