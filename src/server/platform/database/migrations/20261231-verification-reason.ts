import { type Kysely, type Migration, sql } from 'kysely'

/** Why staff took a verification back, for the user to read until they verify again. */
export const verificationReason: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql`alter table app_user add column verification_reason text not null default ''`.execute(db)
  },
}
