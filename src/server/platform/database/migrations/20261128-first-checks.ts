import { type Kysely, type Migration, sql } from 'kysely'

/**
 * Which users have verified a result of their own, and their first verified order. Credits come from the bonus account and stay: the ledger
 * itself refuses every transfer out of them.
 */
export const firstChecks: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql`create table first_check (
      user_id uuid primary key references app_user (id),
      order_id uuid not null,
      checked_ms int8 not null
    )`.execute(db)
    // Earlier rows are not validated: that would block a large ledger, and no code ever posted such a row.
    await sql`alter table transfer add constraint credits_stay
      check (from_account <> 'credits' and (to_account <> 'credits' or from_account = 'house:bonus')) not valid`.execute(
      db,
    )
  },
}
