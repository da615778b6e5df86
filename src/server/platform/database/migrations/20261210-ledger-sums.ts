import { type Kysely, type Migration, sql } from 'kysely'

/**
 * Sums of the transfers up to a moment, so that a check of the ledger need not read all transfers each time. The sums of one run were begun
 * by a check that read everything, and later checks add the rows they found correct.
 */
export const ledgerSums: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    for (const statement of STATEMENTS) await sql.raw(statement).execute(db)
  },
}

const STATEMENTS = [
  // One row: the current run, the end of its sums, and the time of the last full read. Run 0 has no sums. Checks take turns through its
  // lock.
  `create table ledger_run (
    id int4 primary key,
    run int8 not null default 0,
    until_ms int8 not null default 0,
    whole_ms int8 not null default 0,
    whole_took_ms int8 not null default 0
  )`,
  // Leaves room in its pages, because most checks change the sums of active users.
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
  // Transfers are append-only, roughly in order of time: one index entry per megabyte costs inserts nearly nothing.
  `create index transfer_created on transfer using brin (created_ms) with (autosummarize = on)`,

  // A percentage of a large table is millions of rows: its vacuum came rarely, and used a core for half a minute.
  `alter table transfer set (autovacuum_vacuum_insert_scale_factor = 0, autovacuum_vacuum_insert_threshold = 200000,
    autovacuum_analyze_scale_factor = 0.05)`,
  `alter table order_history set (autovacuum_vacuum_insert_scale_factor = 0, autovacuum_vacuum_insert_threshold = 200000,
    autovacuum_analyze_scale_factor = 0.05)`,
  // Few rows with constant inserts and deletes: dead rows would make reading them slow.
  ...['open_order', 'result_delivery', 'balance'].map(
    (table) => `alter table ${table} set (autovacuum_vacuum_threshold = 10000, autovacuum_vacuum_scale_factor = 0.02)`,
  ),
]
