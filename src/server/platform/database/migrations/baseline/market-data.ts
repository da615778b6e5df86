import type { BaselineRoom } from '#server/platform/database/migrations/baseline/baseline-room.ts'

/** Symbols, prices and candles. */
export const marketData: BaselineRoom = {
  tables: [
    `-- Closed candles folded from our own ticks.
    create table candle (
      symbol_id int4 not null,
      interval text not null,
      open_ms int8 not null,
      open int8 not null,
      high int8 not null,
      low int8 not null,
      close int8 not null,
      volume int8 not null,
      primary key (symbol_id, "interval", open_ms)
    )`,
    `-- Times when prices were missing or suspect, by symbol.
    create table feed_incident (
      id uuid primary key,
      symbol_id int4,
      kind text not null,
      source text,
      at_ms int8 not null,
      lasts boolean not null,
      detail text not null,
      constraint feed_incident_kind_check check (kind in ('switched', 'silent', 'late', 'refused', 'divergence', 'spike_dropped', 'lost', 'gap'))
    )`,
    `-- The end of an incident.
    create table feed_incident_end (
      incident_id uuid primary key,
      at_ms int8 not null
    )`,
    `-- Planned closures. Null reason: the calendar decides again. With a reason: closed for everyone.
    create table market_closure (
      market_type text primary key,
      reason text,
      since_ms int8 not null,
      version int4 not null default 1
    )`,
    `-- Days on which a market has other hours, or none.
    create table market_exception (
      id uuid primary key,
      market_type text not null,
      from_ms int8 not null,
      to_ms int8 not null,
      reason text not null,
      who text not null,
      created_ms int8 not null,
      constraint market_exception_check check (to_ms > from_ms),
      constraint market_exception_market_type_check check (market_type in ('crypto', 'us_stocks', 'us_fx'))
    )`,
    `-- Symbols that can be traded. Without closed_reason the calendar decides whether the market is open.
    create table market_symbol (
      id int4 primary key,
      code text not null,
      name text not null,
      market_type text not null,
      decimals int4 not null,
      max_tick_age_ms int4 not null,
      is_featured boolean not null default false,
      color text not null default '',
      image text not null default '',
      is_listed boolean not null default true,
      closed_reason text,
      sort int4 not null,
      source text not null default '',
      provider_symbol text not null default '',
      version int4 not null default 1,
      constraint market_symbol_code_key unique (code),
      constraint market_symbol_decimals_check check ((decimals >= 0) and (decimals <= 8)),
      constraint market_symbol_market_type_check check (market_type in ('crypto', 'us_stocks', 'us_fx')),
      constraint market_symbol_max_tick_age_ms_check check (max_tick_age_ms > 0)
    )`,
    `-- The payout of new orders from an announced moment on, for everyone alike. Rows are never edited.
    create table payout_version (
      trade_setting_id int4 not null,
      version int4 not null,
      profit_basis_points int4 not null,
      applies_from_ms int8 not null,
      announced_ms int8 not null,
      who text not null default '',
      primary key (trade_setting_id, version),
      constraint payout_version_profit_basis_points_check check (profit_basis_points > 0)
    )`,
    `-- When a symbol had no prices although its market was open: from the last price to the next.
    create table price_gap (
      symbol_id int4 not null,
      from_ms int8 not null,
      to_ms int8 not null,
      noticed_ms int8 not null,
      primary key (symbol_id, from_ms),
      constraint price_gap_check check (to_ms > from_ms)
    )`,
    `-- Candles of providers, apart from those of our own ticks.
    create table provider_candle (
      symbol_id int4 not null,
      interval text not null,
      open_ms int8 not null,
      open int8 not null,
      high int8 not null,
      low int8 not null,
      close int8 not null,
      volume int8 not null,
      source text not null,
      fetched_ms int8 not null,
      primary key (symbol_id, "interval", open_ms),
      constraint provider_candle_close_check check (close > 0),
      constraint provider_candle_low_check check (low > 0),
      constraint provider_candle_open_check check (open > 0),
      constraint provider_candle_volume_check check (volume >= 0)
    )`,
    `-- Ranges that a provider was asked for and answered. Where such a range has no candle there were no trades.
    create table provider_history (
      symbol_id int4 not null,
      interval text not null,
      from_ms int8 not null,
      to_ms int8 not null,
      primary key (symbol_id, "interval", from_ms),
      constraint provider_history_check check (to_ms > from_ms)
    )`,
    `-- The first day for which a provider knows a symbol.
    create table provider_start (
      symbol_id int4 primary key,
      first_ms int8 not null,
      source text not null,
      asked_ms int8 not null
    )`,
    `-- Stakes offered as buttons.
    create table quick_amount (
      id int4 primary key,
      amount int8 not null,
      version int4 not null default 1,
      constraint quick_amount_amount_check check (amount > 0)
    )`,
    `-- Splits of stocks. Shipped ones have version 0, those that staff announced begin with 1.
    create table stock_split (
      symbol_id int4 not null,
      trading_day int4 not null,
      version int4 not null,
      new_shares int4 not null,
      old_shares int4 not null,
      effective_ms int8 not null,
      announced_ms int8 not null,
      source text not null,
      who text not null,
      primary key (symbol_id, trading_day, version),
      constraint stock_split_new_shares_check check ((new_shares >= 1) and (new_shares <= 10000)),
      constraint stock_split_old_shares_check check ((old_shares >= 1) and (old_shares <= 10000))
    )`,
    `-- Pictures of symbols, re-encoded and small. The name is the hash of the content.
    create table symbol_picture (
      name text primary key,
      bytes bytea not null,
      created_ms int8 not null
    )`,
    `-- A changed limit on the age of prices does not reach open orders: expiries up to a moment keep the earlier limit.
    create table tick_age_before (
      symbol_id int4 not null,
      until_ms int8 not null,
      max_tick_age_ms int4 not null,
      primary key (symbol_id, until_ms)
    )`,
    `-- The tick log in batches. Each hash covers the one before. A tick is visible once its batch is here.
    create table tick_batch (
      first_seq int8 primary key,
      last_seq int8 not null,
      first_time_ms int8 not null,
      last_time_ms int8 not null,
      written_ms int8 not null,
      payload text not null,
      previous_hash bytea not null,
      hash bytea not null
    )`,
    `-- When the log may lack prices of a symbol. A candle that touches such a time is partial.
    create table tick_hole (
      symbol_id int4 not null,
      from_ms int8 not null,
      to_ms int8 not null,
      primary key (symbol_id, from_ms, to_ms),
      constraint tick_hole_check check (to_ms > from_ms)
    )`,
    `-- Older batches, packed. hashes is null while all ticks of the pack exist. Retention fills hashes and rewrites heads.
    create table tick_pack (
      first_seq int8 primary key,
      last_seq int8 not null,
      first_time_ms int8 not null,
      last_time_ms int8 not null,
      written_ms int8 not null,
      previous_hash bytea not null,
      hash bytea not null,
      series text[] not null,
      heads bytea not null,
      body bytea not null,
      hashes bytea
    )`,
    `-- The watermark of each symbol and its suspect flag, as the writer of the log last stored them.
    create table tick_stream (
      id int4 primary key,
      token int8 not null,
      head_seq int8 not null,
      symbol_ids int4[] not null,
      heard_ms int8[] not null,
      doubts jsonb not null,
      constraint tick_stream_check check (cardinality(heard_ms) = cardinality(symbol_ids)),
      constraint tick_stream_id_check check (id = 1)
    ) with (fillfactor=50)`,
    `-- Durations that are offered, with their smallest and largest stake.
    create table trade_setting (
      id int4 primary key,
      seconds int4 not null,
      unit text not null,
      min_amount int8 not null,
      max_amount int8 not null,
      is_offered boolean not null default true,
      version int4 not null default 1,
      constraint trade_setting_check check (max_amount >= min_amount),
      constraint trade_setting_min_amount_check check (min_amount > 0),
      constraint trade_setting_seconds_check check (seconds > 0),
      constraint trade_setting_unit_check check (unit in ('minute', 'hour', 'day'))
    )`,
  ],
  indexes: [
    `create index feed_incident_newest on feed_incident (at_ms, id)`,
    `create index feed_incident_of_symbol on feed_incident (symbol_id, at_ms, id)`,
    `create index market_exception_end on market_exception (to_ms)`,
    `create index market_exception_begin on market_exception (from_ms, id)`,
    `create index market_symbol_order on market_symbol (sort, id)`,
    `create index payout_version_time on payout_version (announced_ms, trade_setting_id, version)`,
    `create index price_gap_newest on price_gap (from_ms)`,
    `create index quick_amount_amount on quick_amount (amount)`,
    `create index stock_split_time on stock_split (announced_ms, symbol_id, version)`,
    `create unique index tick_batch_previous on tick_batch (previous_hash)`,
    `create index tick_batch_time on tick_batch (last_time_ms)`,
    `create index tick_batch_written on tick_batch (written_ms)`,
    `create index tick_hole_newest on tick_hole (to_ms)`,
    `create unique index tick_pack_previous on tick_pack (previous_hash)`,
    `create index tick_pack_time on tick_pack (last_time_ms)`,
    `create index tick_pack_written on tick_pack (written_ms)`,
    `create index tick_pack_whole on tick_pack (first_seq) where hashes is null`,
    `create unique index trade_setting_length on trade_setting (seconds)`,
  ],
  foreignKeys: [
    `alter table feed_incident_end add foreign key (incident_id) references feed_incident (id)`,
    `alter table payout_version add foreign key (trade_setting_id) references trade_setting (id)`,
    `alter table stock_split add foreign key (symbol_id) references market_symbol (id)`,
    `alter table tick_age_before add foreign key (symbol_id) references market_symbol (id)`,
  ],
}
