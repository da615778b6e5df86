import { type Kysely, type Migration, sql } from 'kysely'

/** Why staff removed a verification, shown to the user until they verify again. */
export const verificationReason: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql`alter table app_user add column verification_reason text not null default ''`.execute(db)
  },
}
