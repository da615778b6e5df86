import { type Kysely, type Migration, sql } from 'kysely'

/**
 * New orders and their transfers have the highest ids, which begin with the time. In an index that begins with the id they are written next
 * to each other at its end. In an index that begins with the user, each went to a different page.
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
