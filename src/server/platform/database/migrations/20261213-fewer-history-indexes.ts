import { type Kysely, type Migration, sql } from 'kysely'

/** Drops an index of settled orders. Its list can use the index of the user's settled orders instead. */
export const fewerHistoryIndexes: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql`drop index order_history_user_opened`.execute(db)
  },
}
