import { type Kysely, type Migration, sql } from 'kysely'

/** Several servers on one database: the live servers, their leases, and the watermarks of prices. */
export const nodes: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    for (const statement of STATEMENTS) await sql.raw(statement).execute(db)
  },
}

const STATEMENTS = [
  // All times here are the database's, because no two servers have the same clock.
  `create table server_node (
    run text primary key,
    name text not null,
    roles text[] not null,
    is_on_bus bool not null,
    seen_ms int8 not null
  )`,

  // Which server does each exclusive task. The token grows with every new holder, so that late writes are recognised.
  `create table lease (
    name text primary key,
    owner text not null,
    token int8 not null check (token > 0),
    until_ms int8 not null
  ) with (fillfactor = 50)`,

  // The writer's state in addition to ticks: the watermark of each symbol, and suspect prices.
  `create table tick_stream (
    id int4 primary key check (id = 1),
    token int8 not null,
    head_seq int8 not null,
    symbol_ids int4[] not null,
    heard_ms int8[] not null check (cardinality(heard_ms) = cardinality(symbol_ids)),
    doubts jsonb not null
  ) with (fillfactor = 50)`,

  // The key with which servers authenticate their messages: write access to the bus alone is not enough to forge one.
  `create table bus_key (
    id int4 primary key check (id = 1),
    secret bytea not null check (length(secret) = 32)
  )`,
]
