import { type Kysely, type Migration, sql } from 'kysely'

/** Several servers on one database: who is there, who may do what only one may do, and where the prices stand. */
export const nodes: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    for (const statement of STATEMENTS) await sql.raw(statement).execute(db)
  },
}

const STATEMENTS = [
  // All times here are the database's own: no two servers have the same clock.
  `create table server_node (
    run text primary key,
    name text not null,
    roles text[] not null,
    is_on_bus bool not null,
    seen_ms int8 not null
  )`,

  // Who does what only one may do. The token grows with every change of hands, so that whoever was late is known.
  `create table lease (
    name text primary key,
    owner text not null,
    token int8 not null check (token > 0),
    until_ms int8 not null
  ) with (fillfactor = 50)`,

  // What the writer of the tick log has said besides ticks: how far each symbol is heard, and which prices are in doubt.
  `create table tick_stream (
    id int4 primary key check (id = 1),
    token int8 not null,
    head_seq int8 not null,
    symbol_ids int4[] not null,
    heard_ms int8[] not null check (cardinality(heard_ms) = cardinality(symbol_ids)),
    doubts jsonb not null
  ) with (fillfactor = 50)`,

  // What servers sign their messages to each other with: whoever can write to the bus alone can tell them nothing.
  `create table bus_key (
    id int4 primary key check (id = 1),
    secret bytea not null check (length(secret) = 32)
  )`,
]
