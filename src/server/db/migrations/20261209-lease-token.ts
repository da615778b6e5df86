import { type Kysely, type Migration, sql } from 'kysely'

/**
 * What is written under a lease locks its row `for key share`, which only a change of a key waits for. With the token in a key a lease
 * still cannot change hands before that is committed, but can be prolonged meanwhile: a server that settles one batch
 * after the other never kept its own beat waiting for so long that it lost what it held.
 */
export const leaseToken: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql`create unique index lease_token on lease (name, token)`.execute(db)
  },
}
