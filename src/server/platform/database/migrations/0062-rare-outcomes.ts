import { type Kysely, type Migration, sql } from 'kysely'

/** An index for the pages of void and sold orders, which are few among all orders of a user. */
export const rareOutcomes: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql
      .raw(
        `create index order_history_rare on order_history (user_id, result, settled_ms desc, id desc)
          where result in (4, 5)`,
      )
      .execute(db)
  },
}
