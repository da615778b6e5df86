import { type Instant, instant } from '#core/time/instant.ts'
import type { Db } from '#server/platform/database/tables.ts'

/** Returns when the confirmed recovery of a user opens. Null without one. */
export async function findRecovering(db: Db, userId: string): Promise<Instant | null> {
  const row = await db
    .selectFrom('account_recovery')
    .select('opens_ms')
    .where('user_id', '=', userId)
    .where('state', '=', 'waiting')
    .executeTakeFirst()
  return typeof row?.opens_ms === 'bigint' ? instant(row.opens_ms) : null
}
