import { type Kysely, type Migration, sql } from 'kysely'

/** Open orders are few, and each is written and deleted once a minute: an index that only lists use costs more than it saves. */
export const openOrderIndexes: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    for (const name of ['open_order_newest', 'open_order_trx']) await sql`drop index ${sql.table(name)}`.execute(db)
  },
}
