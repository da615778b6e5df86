import { type Kysely, type Migration, sql } from 'kysely'

/** What sources of prices say of the past, kept apart from the candles of our own ticks; and when we had no prices. */
export const providerHistory: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    for (const statement of STATEMENTS) await sql.raw(statement).execute(db)
  },
}

const STATEMENTS = [
  // Closed bars, stored once. Shown in charts where we have no candle of our own; nothing is settled by them.
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

  // Stretches that a source was asked for and has answered: a hole in them had no trades.
  `create table provider_history (
    symbol_id int4 not null,
    interval text not null,
    from_ms int8 not null,
    to_ms int8 not null check (to_ms > from_ms),
    primary key (symbol_id, interval, from_ms)
  )`,

  // The first day a source knows anything of a symbol.
  `create table provider_start (
    symbol_id int4 primary key,
    first_ms int8 not null,
    source text not null,
    asked_ms int8 not null
  )`,

  // When no prices of a symbol came in although its market was open: from the last one to the next.
  `create table price_gap (
    symbol_id int4 not null,
    from_ms int8 not null,
    to_ms int8 not null check (to_ms > from_ms),
    noticed_ms int8 not null,
    primary key (symbol_id, from_ms)
  )`,
]
