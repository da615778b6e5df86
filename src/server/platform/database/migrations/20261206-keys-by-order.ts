import { type Kysely, type Migration, sql } from 'kysely'

/**
 * New orders and their transfers are the newest of all, so in an index that begins with their id (which begins with the
 * time) they go to its end, one beside the other; in one that began with the user each went to a page of its own.
 */
export const keysByOrder: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    const statements = [
      `alter table transfer drop constraint transfer_pkey, add primary key (ref, step, user_id)`,
      `alter table open_order drop constraint open_order_pkey, add primary key (id, user_id)`,
    ]
    for (const statement of statements) await sql.raw(statement).execute(db)
  },
}
