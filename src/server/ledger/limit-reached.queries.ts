import { sql } from 'kysely'
import type { SelfLimitKey } from '#core/accounts/self-limits.ts'
import type { Instant } from '#core/time/instant.ts'
import type { Db } from '#server/platform/database/tables.ts'

/** Reports that an own limit refused an order or a deposit. The database notifies the user once in each window. */
export async function tellLimitReached(
  db: Db,
  { userId, key, freesAt }: { readonly userId: string; readonly key: SelfLimitKey; readonly freesAt: Instant | null },
): Promise<void> {
  await sql`select tell_limit_reached(${userId}, ${key}, ${freesAt}::int8)`.execute(db)
}
