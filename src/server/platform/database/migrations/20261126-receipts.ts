import { type Kysely, type Migration, sql } from 'kysely'

/** Receipts: the head of the log when an order was accepted and when its price was decided, and the signed data. */
export const receipts: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    for (const statement of STATEMENTS) await sql.raw(statement).execute(db)
  },
}

const STATEMENTS = [
  // The newest sequence number of the log; null for orders older than receipts.
  `alter table open_order add column head_seq int8`,
  `alter table order_history add column head_seq int8`,
  `alter table settlement_price add column head_seq int8, add column max_tick_age_ms int4`,

  // Orders accepted, or settled, within a short time: the leaves of one tree in this order, with the signature over its root.
  `create table receipt_batch (
    id uuid primary key,
    kind text not null check (kind in ('accepted', 'result')),
    first_ms int8 not null,
    last_ms int8 not null check (last_ms >= first_ms),
    user_ids uuid[] not null,
    order_ids uuid[] not null check (cardinality(order_ids) = cardinality(user_ids) and cardinality(order_ids) > 0),
    signature text not null,
    made_ms int8 not null
  )`,
  // Orders are searched by the time they were accepted or settled. Few batches share a moment.
  `create index receipt_batch_time on receipt_batch (kind, last_ms)`,

  // Public keys of signatures. A second row retires a key, so that no row has to be changed.
  `create table signing_key (
    kid text not null,
    event text not null check (event in ('made', 'retired')),
    public_x text not null,
    at_ms int8 not null,
    primary key (kid, event)
  )`,

  // Past days of the tick log, each covering the one before by its hashes.
  `create table log_day (
    day int4 primary key,
    first_seq int8 not null,
    last_seq int8 not null check (last_seq >= first_seq),
    previous_hash bytea not null,
    hash bytea not null,
    noted_ms int8 not null
  )`,
]
