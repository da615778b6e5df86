import { type Kysely, type Migration, sql } from 'kysely'

/** A correction can be withdrawn by the staff member who asked for it. Nobody else decides it, so `decided_by` stays empty. */
export const withdrawnCorrections: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql`alter table correction
      drop constraint correction_state_check,
      add constraint correction_state_check check (state in ('waiting', 'posted', 'rejected', 'withdrawn'))`.execute(db)
  },
}
