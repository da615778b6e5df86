import { type Kysely, type Migration, sql } from 'kysely'

/**
 * What the transfers until some moment come to, so that a check of the books need not read all of them each time. The sums
 * of one run were begun by a check that read everything, and go on with what later ones found right.
 */
export const ledgerSums: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    for (const statement of STATEMENTS) await sql.raw(statement).execute(db)
  },
}

const STATEMENTS = [
  // One row: which run counts, until when its sums go, and when everything was read last. Run 0 has no sums. Checks take
  // turns by its lock.
  `create table ledger_run (
    id int4 primary key,
    run int8 not null default 0,
    until_ms int8 not null default 0,
    whole_ms int8 not null default 0,
    whole_took_ms int8 not null default 0
  )`,
  // Room in its pages: those who trade have their sums changed by most checks.
  `create table ledger_sum (
    run int8 not null,
    user_id uuid not null,
    currency text not null,
    from_account text not null,
    to_account text not null,
    amount int8 not null,
    transfers int8 not null,
    primary key (run, user_id, currency, from_account, to_account)
  ) with (fillfactor = 70)`,
  `create table ledger_order_sum (
    run int8 not null,
    user_id uuid not null,
    staked int8 not null,
    won int8 not null,
    lost int8 not null,
    primary key (run, user_id)
  ) with (fillfactor = 70)`,
  // Transfers are only added, about in order of time: an entry for a megabyte of them costs those that add nearly nothing.
  `create index transfer_created on transfer using brin (created_ms) with (autosummarize = on)`,

  // A share of a large table is millions of rows: its vacuum came rarely, and took a core for half a minute.
  `alter table transfer set (autovacuum_vacuum_insert_scale_factor = 0, autovacuum_vacuum_insert_threshold = 200000,
    autovacuum_analyze_scale_factor = 0.05)`,
  `alter table order_history set (autovacuum_vacuum_insert_scale_factor = 0, autovacuum_vacuum_insert_threshold = 200000,
    autovacuum_analyze_scale_factor = 0.05)`,
  // Few rows that come and go all the time: the dead ones are what would make reading them slow.
  ...['open_order', 'result_delivery', 'balance'].map(
    (table) => `alter table ${table} set (autovacuum_vacuum_threshold = 10000, autovacuum_vacuum_scale_factor = 0.02)`,
  ),
]
