import { type Kysely, type Migration, sql } from 'kysely'

/** Stock splits: shipped ones have version 0, those announced by staff begin with 1. */
export const splits: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    for (const statement of STATEMENTS) await sql.raw(statement).execute(db)
  },
}

const STATEMENTS = [
  // Never edited: for a stock and day the newest version counts, and one share for one withdraws the others.
  `create table stock_split (
    symbol_id int4 not null references market_symbol (id),
    -- Days since 1970, in New York.
    trading_day int4 not null,
    version int4 not null,
    new_shares int4 not null check (new_shares between 1 and 10000),
    old_shares int4 not null check (old_shares between 1 and 10000),
    effective_ms int8 not null,
    announced_ms int8 not null,
    source text not null,
    who text not null,
    primary key (symbol_id, trading_day, version)
  )`,
  `create index stock_split_time on stock_split (announced_ms, symbol_id, version)`,
]
