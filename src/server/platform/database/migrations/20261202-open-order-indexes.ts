import { type Kysely, type Migration, sql } from 'kysely'

/** Open orders are few and short-lived: an index that only lists use costs more than it saves. */
export const openOrderIndexes: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    for (const name of ['open_order_newest', 'open_order_trx']) await sql`drop index ${sql.table(name)}`.execute(db)
  },
}
