import { type Kysely, type Migration, sql } from 'kysely'

/** Indexes for the public list of incidents. Expiries without a price are few, so these indexes do not slow down orders. */
export const incidents: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    for (const statement of STATEMENTS) await sql.raw(statement).execute(db)
  },
}

const STATEMENTS = [
  `create index order_history_refunded on order_history (symbol_id, expires_ms) where void_reason is not null`,
  `create index settlement_price_void on settlement_price (expires_ms) where void_reason is not null`,
  `create index settlement_price_void_of_symbol on settlement_price (symbol_id, expires_ms) where void_reason is not null`,
  `create index price_gap_newest on price_gap (from_ms)`,
]
