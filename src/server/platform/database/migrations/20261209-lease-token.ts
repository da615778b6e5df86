import { type Kysely, type Migration, sql } from 'kysely'

/**
 * What is written under a lease locks its row `for key share`, which only a change of a key waits for. With the token in a key a lease
 * still cannot change hands before that is committed, but can be prolonged meanwhile: before, a server that settled one batch
 * right after the other could keep its own beat waiting until it had lost what it held.
 */
export const leaseToken: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql`create unique index lease_token on lease (name, token)`.execute(db)
  },
}
