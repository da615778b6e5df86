import { type Kysely, type Migration, sql } from 'kysely'

/** Drops an index of settled orders. Its list can use the index of the user's settled orders instead. */
export const oneIndexLess: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql`drop index order_history_user_newest`.execute(db)
  },
}
