import { type Kysely, type Migration, sql } from 'kysely'

/**
 * Who has computed a result of their own again, and of which order first. Credits come from the bonus account and stay:
 * the ledger itself takes no transfer out of them, whoever posts it.
 */
export const firstChecks: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql`create table first_check (
      user_id uuid primary key references app_user (id),
      order_id uuid not null,
      checked_ms int8 not null
    )`.execute(db)
    // Earlier rows are not looked through: a big ledger would stand still for it, and nothing ever posted one.
    await sql`alter table transfer add constraint credits_stay
      check (from_account <> 'credits' and (to_account <> 'credits' or from_account = 'house:bonus')) not valid`.execute(
      db,
    )
  },
}
