import { sql } from 'kysely'
import type { TestDatabase } from '#test/support/database.ts'

/** Makes the newest version of the terms of use take effect immediately. */
export async function passTermsNotice(database: TestDatabase): Promise<void> {
  await database.asOwner((db) =>
    sql`update terms_version set from_ms = announced_ms where id = (select max(id) from terms_version)`.execute(db),
  )
}
