import { type Kysely, type Migration, sql } from 'kysely'

/** A request that comes again under its client's id is compared with all that the first one said. */
export const requestFingerprints: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    for (const table of ['withdrawal', 'deposit']) {
      await sql.raw(`alter table ${table} add column request_fingerprint bytea`).execute(db)
    }
  },
}
