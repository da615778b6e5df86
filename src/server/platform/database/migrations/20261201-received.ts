import { type Kysely, type Migration, sql } from 'kysely'

/** When the server had the request for an order; null for those taken before this was noted. */
export const received: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    for (const table of ['open_order', 'order_history']) {
      await sql`alter table ${sql.table(table)} add column received_ms int8`.execute(db)
    }
  },
}
