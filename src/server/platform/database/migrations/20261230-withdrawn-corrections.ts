import { type Kysely, type Migration, sql } from 'kysely'

/** An adjustment can be withdrawn by the staff member who requested it. `decided_by` then stays empty. */
export const withdrawnCorrections: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql`alter table correction
      drop constraint correction_state_check,
      add constraint correction_state_check check (state in ('waiting', 'posted', 'rejected', 'withdrawn'))`.execute(db)
  },
}
