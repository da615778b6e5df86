import { type Kysely, type Migration, sql } from 'kysely'

/** The orders of a receipt tree as bytes, which cost a fraction of two arrays to write and store. */
export const receiptKeys: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    for (const statement of STATEMENTS) await sql.raw(statement).execute(db)
  },
}

const STATEMENTS = [
  // For each leaf, sixteen bytes of its user id and sixteen of the order id.
  `alter table receipt_batch add column keys bytea`,
  `update receipt_batch b set keys = (
    select string_agg(uuid_send(k.user_id) || uuid_send(k.order_id), ''::bytea order by k.place)
    from unnest(b.user_ids, b.order_ids) with ordinality as k (user_id, order_id, place)
  )`,
  `alter table receipt_batch alter column keys set not null,
    add check (length(keys) > 0 and length(keys) % 32 = 0),
    drop column user_ids, drop column order_ids`,
  // Random bytes cannot be compressed.
  `alter table receipt_batch alter column keys set storage external`,
]
