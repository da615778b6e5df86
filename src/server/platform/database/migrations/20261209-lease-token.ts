import { type Kysely, type Migration, sql } from 'kysely'

/**
 * A write under a lease locks its row `for key share`, which only a change of a key waits for. With the token in a key, a lease still
 * cannot change hands before that commit, but can be prolonged. Before, a server that settled batches continuously could block its own
 * heartbeat until it had lost its leases.
 */
export const leaseToken: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql`create unique index lease_token on lease (name, token)`.execute(db)
  },
}
