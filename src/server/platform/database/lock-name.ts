import { sql } from 'kysely'
import type { Tx } from '#server/platform/database/tables.ts'

/** Waits until no other transaction of any server holds the lock of this name, and holds it until the transaction ends. */
export async function lockName(tx: Tx, name: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${name}, 0))`.execute(tx)
}
