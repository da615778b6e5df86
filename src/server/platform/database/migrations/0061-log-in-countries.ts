import { type Kysely, type Migration, sql } from 'kysely'

/** The country of the address of a log-in. Null when it is unknown. */
export const logInCountries: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql.raw(`alter table sign_in add column country text check (country ~ '^[A-Z]{2}$')`).execute(db)
  },
}
