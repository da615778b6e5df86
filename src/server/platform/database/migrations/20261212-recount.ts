import { type Kysely, type Migration, sql } from 'kysely'

/**
 * The state of a recount of the ledger: a second run of sums, built from all transfers a portion at a time, next to the current run. Run 0
 * means none. All of it is stored here, so that another server, or one after a restart, continues it.
 */
export const recount: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql`
      alter table ledger_run
        add column recount_run int8 not null default 0,
        add column recount_until_ms int8 not null default 0,
        add column recount_started_ms int8 not null default 0,
        add column recount_worked_ms int8 not null default 0,
        add column recount_next_ms int8 not null default 0,
        add column recount_portion int8 not null default 0`.execute(db)
  },
}
