import { type Kysely, type Migration, sql } from 'kysely'

/** History from price sources, separate from the candles of our own ticks, and times without prices. */
export const providerHistory: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    for (const statement of STATEMENTS) await sql.raw(statement).execute(db)
  },
}

const STATEMENTS = [
  // Closed bars, stored once. Shown in charts where there is no candle of our own. They settle nothing.
  `create table provider_candle (
    symbol_id int4 not null,
    interval text not null,
    open_ms int8 not null,
    open int8 not null check (open > 0),
    high int8 not null,
    low int8 not null check (low > 0),
    close int8 not null check (close > 0),
    volume int8 not null check (volume >= 0),
    source text not null,
    fetched_ms int8 not null,
    primary key (symbol_id, interval, open_ms)
  )`,

  // Time ranges that a source has returned: a missing bar in them had no trades.
  `create table provider_history (
    symbol_id int4 not null,
    interval text not null,
    from_ms int8 not null,
    to_ms int8 not null check (to_ms > from_ms),
    primary key (symbol_id, interval, from_ms)
  )`,

  // The first day for which a source has data of a symbol.
  `create table provider_start (
    symbol_id int4 primary key,
    first_ms int8 not null,
    source text not null,
    asked_ms int8 not null
  )`,

  // Times without prices of a symbol although its market was open, from the last price to the next.
  `create table price_gap (
    symbol_id int4 not null,
    from_ms int8 not null,
    to_ms int8 not null check (to_ms > from_ms),
    noticed_ms int8 not null,
    primary key (symbol_id, from_ms)
  )`,
]
