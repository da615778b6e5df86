import { sql } from 'kysely'
import { RECOVERY_PAUSE_MS } from '#core/accounts/recovery.ts'
import type { SecurityChange } from '#core/accounts/notices.ts'
import { HOUR_MS, type Instant, instant } from '#core/time/instant.ts'
import type { Db, Tx } from '#server/platform/database/tables.ts'

interface SecurityChanged {
  readonly userId: string
  readonly what: SecurityChange
  readonly at: Instant
  /** Phone numbers that get the notice as well: the numbers before and after a change. */
  readonly numbers?: readonly string[]
}

/** Writes the notice about a security change, in the transaction of the change. */
export async function tellSecurityChange(tx: Tx, { userId, what, at, numbers }: SecurityChanged): Promise<void> {
  const others = numbers === undefined ? null : JSON.stringify(numbers)
  await sql`select tell_security_change(${userId}, ${what}, ${at}, ${others}::jsonb)`.execute(tx)
}

/**
 * Stores the time of a security change, and writes its notice. The change pauses withdrawals from this time, because a
 * thief would make such a change.
 */
export async function noteSecurityChange(tx: Tx, changed: SecurityChanged): Promise<void> {
  const { userId, at } = changed
  await tx.updateTable('app_user').set({ security_changed_ms: at }).where('id', '=', userId).execute()
  await tellSecurityChange(tx, changed)
}

/**
 * Returns the end of the user's withdrawal pause, or null when withdrawals are possible now. A security change pauses
 * them for `hours`, and a recovery of the account for longer.
 */
export async function withdrawalsWaitUntil(
  db: Db,
  userId: string,
  { hours, now }: { readonly hours: number; readonly now: Instant },
): Promise<Instant | null> {
  const row = await db
    .selectFrom('app_user')
    .select(['security_changed_ms', 'recovered_ms'])
    .where('id', '=', userId)
    .executeTakeFirst()
  const ends = [
    Number(row?.security_changed_ms ?? 0) + hours * HOUR_MS,
    Number(row?.recovered_ms ?? 0) + RECOVERY_PAUSE_MS,
  ]
  const until = Math.max(...ends)
  return until > now ? instant(until) : null
}
