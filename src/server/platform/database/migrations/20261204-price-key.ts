import { type Kysely, type Migration, sql } from 'kysely'

/**
 * Many symbols have the same expiry: by the time alone, each order that was settled read the prices of half of them to find
 * its own.
 */
export const priceKey: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql`drop index settlement_price_expiry`.execute(db)
    await sql`create index settlement_price_expiry on settlement_price (expires_ms, symbol_id)`.execute(db)
  },
}
