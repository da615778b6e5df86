import { type Kysely, type Migration, sql } from 'kysely'

/** Many symbols share an expiry. With an index by time alone, each settled order read the prices of half the symbols. */
export const priceKey: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql`drop index settlement_price_expiry`.execute(db)
    await sql`create index settlement_price_expiry on settlement_price (expires_ms, symbol_id)`.execute(db)
  },
}
