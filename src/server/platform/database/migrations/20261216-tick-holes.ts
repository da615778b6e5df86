import { type Kysely, type Migration, sql } from 'kysely'

/**
 * Times in which the log may lack prices of a symbol, however short: before its first price, while no server listened, and in silences. A
 * candle that overlaps such a time is incomplete.
 */
export const tickHoles: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    for (const statement of STATEMENTS) await sql.raw(statement).execute(db)
  },
}

const STATEMENTS = [
  `create table tick_hole (
    symbol_id int4 not null,
    from_ms int8 not null,
    to_ms int8 not null check (to_ms > from_ms),
    primary key (symbol_id, from_ms, to_ms)
  )`,
  `create index tick_hole_newest on tick_hole (to_ms)`,
  // For earlier times: the silences that were noticed.
  `insert into tick_hole (symbol_id, from_ms, to_ms) select symbol_id, from_ms, to_ms from price_gap`,
]
