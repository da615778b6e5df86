import { type Kysely, type Migration, sql } from 'kysely'

/** Receipts: where the log stood when an order was taken and when its price was decided, and what was signed. */
export const receipts: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    for (const statement of STATEMENTS) await sql.raw(statement).execute(db)
  },
}

const STATEMENTS = [
  // The place of the newest tick in the log; nothing for orders from before there were receipts.
  `alter table open_order add column head_seq int8`,
  `alter table order_history add column head_seq int8`,
  `alter table settlement_price add column head_seq int8, add column max_tick_age_ms int4`,

  // Orders taken, or settled, shortly after one another: the leaves of one tree in this order, and the signature over its root.
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
  // An order is looked for by when it was taken or settled: few batches share a moment.
  `create index receipt_batch_time on receipt_batch (kind, last_ms)`,

  // Public keys that signatures were made with. A key retires by a second row, so that nothing has to be changed.
  `create table signing_key (
    kid text not null,
    event text not null check (event in ('made', 'retired')),
    public_x text not null,
    at_ms int8 not null,
    primary key (kid, event)
  )`,

  // Days of the tick log that are over, each covering the one before by its hashes.
  `create table log_day (
    day int4 primary key,
    first_seq int8 not null,
    last_seq int8 not null check (last_seq >= first_seq),
    previous_hash bytea not null,
    hash bytea not null,
    noted_ms int8 not null
  )`,
]
