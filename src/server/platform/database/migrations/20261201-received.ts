import { type Kysely, type Migration, sql } from 'kysely'

/** When the server received the request of an order; null for orders older than this column. */
export const received: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    for (const table of ['open_order', 'order_history']) {
      await sql`alter table ${sql.table(table)} add column received_ms int8`.execute(db)
    }
  },
}
