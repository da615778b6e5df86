import { HOUR_MS, type Instant, instant } from '#core/time/instant.ts'
import type { Db, Tx } from '#server/platform/database/tables.ts'

/** Records a security change. It pauses withdrawals from now on, because a thief would make such a change. */
export async function noteSecurityChange(tx: Tx, userId: string, at: Instant): Promise<void> {
  await tx.updateTable('app_user').set({ security_changed_ms: at }).where('id', '=', userId).execute()
}

/** Returns the end of the user's withdrawal pause, or null. */
export async function withdrawalsWaitUntil(
  db: Db,
  userId: string,
  { hours, now }: { readonly hours: number; readonly now: Instant },
): Promise<Instant | null> {
  const row = await db.selectFrom('app_user').select('security_changed_ms').where('id', '=', userId).executeTakeFirst()
  if (row?.security_changed_ms === null || row === undefined) return null
  const until = Number(row.security_changed_ms) + hours * HOUR_MS
  return until > now ? instant(until) : null
}
