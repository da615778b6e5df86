import { type Kysely, type Migration, sql } from 'kysely'

/** Daily totals, counted once, and how far they are counted. */
export const dayTotals: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    for (const statement of STATEMENTS) await sql.raw(statement).execute(db)
  },
}

const STATEMENTS = [
  // Days since 1970 in UTC. For orders, amount is the stake and result the house's gain.
  `create table day_total (
    day int4 not null,
    kind text not null check (kind in ('crypto', 'us_stocks', 'us_fx', 'deposit', 'withdrawal', 'account')),
    is_bot boolean not null,
    count int8 not null,
    amount int8 not null,
    result int8 not null,
    primary key (day, kind, is_bot)
  )`,
  // Rows before counted_until are in the totals, and none after it. Days before closed_until were verified.
  `create table day_total_mark (
    source text primary key,
    counted_until_ms int8 not null,
    closed_until_ms int8 not null
  )`,
  // Includes all counted columns of an order, so that a day is counted from the index alone.
  `create index order_history_settled on order_history (settled_ms) include (user_id, symbol_id, stake, result_amount)`,
  `create index deposit_credited on deposit (decided_ms) include (user_id, credited) where status = 1`,
]
