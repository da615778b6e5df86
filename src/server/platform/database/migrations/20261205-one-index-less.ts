import { type Kysely, type Migration, sql } from 'kysely'

/** Each settled order was in it, for a list that the index of its owner's settled orders finds as well. */
export const oneIndexLess: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql`drop index order_history_user_newest`.execute(db)
  },
}
