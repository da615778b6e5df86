import { type Kysely, type Migration, sql } from 'kysely'

/**
 * Where a recount of the books is: a second run of sums, made of all transfers anew a portion at a time, beside the one that
 * counts. Run 0 is none. All of it is kept here, so that a restart, or another server, goes on with it.
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
