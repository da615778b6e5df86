import { type Kysely, type Migration, sql } from 'kysely'

/** A repeated request with the same client id is compared with the whole first request. */
export const requestFingerprints: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    for (const table of ['withdrawal', 'deposit']) {
      await sql.raw(`alter table ${table} add column request_fingerprint bytea`).execute(db)
    }
  },
}
