import { sql } from 'kysely'
import type { BreakKind } from '#core/accounts/self-limits.ts'
import { MINUTE_MS } from '#core/time/instant.ts'
import type { Db, Tx } from '#server/platform/database/tables.ts'

export interface NewBreak {
  readonly userId: string
  readonly id: string
  readonly kind: BreakKind
  readonly length: number
  /**
   * Given when a staff member enters the break at the user's request: the staff member, and a text that the user reads.
   */
  readonly entered?: { readonly by: string; readonly words: string }
}

/**
 * Inserts a break (a time-out or exclusion). The database sets its times, and refuses a break that would end before a
 * break in force.
 */
export async function insertBreak(db: Db, own: NewBreak): Promise<void> {
  const { userId, id, kind, length, entered } = own
  await db
    .insertInto('self_break')
    .values({ user_id: userId, id, kind, length, staff_id: entered?.by ?? null, words: entered?.words ?? null })
    .execute()
}

/**
 * Returns whether this is a repeated request: within the last minute, the user took a break of the same kind and
 * length, and no break ends later. The caller must hold the lock of the user's limits.
 */
export async function hasJustTaken(
  tx: Tx,
  { userId, kind, length }: Omit<NewBreak, 'id' | 'entered'>,
): Promise<boolean> {
  const { rows } = await sql<{ is_same: boolean }>`
    select kind = ${kind} and length = ${length}::int4
      and from_ms > extract(epoch from clock_timestamp()) * 1000 - ${MINUTE_MS}::int8 as is_same
    from self_break where user_id = ${userId} order by until_ms desc limit 1`.execute(tx)
  return rows[0]?.is_same === true
}

export async function insertReturn(tx: Tx, userId: string, breakId: string): Promise<void> {
  await tx.insertInto('self_return').values({ user_id: userId, break_id: breakId }).execute()
}

/** Confirms the return to trading. The database refuses this within 24 hours of the request. */
export async function confirmReturn(tx: Tx, userId: string, breakId: string): Promise<void> {
  await tx
    .updateTable('self_return')
    .set({ confirmed_ms: 0 }) // A trigger replaces 0 by the time of the database.
    .where('user_id', '=', userId)
    .where('break_id', '=', breakId)
    .execute()
}

/**
 * After a time-out is over, updates the copy of the user's rules beside the balance. Without this, orders of the user
 * would use the slower statement on and on.
 */
export async function clearEndedBreaks(db: Db): Promise<void> {
  const { rows } = await sql<{ user_id: string }>`
    select distinct b.user_id
    from self_break t join balance b on b.user_id = t.user_id
    where t.kind = 'time_out' and b.closed_until_ms <= extract(epoch from clock_timestamp()) * 1000`.execute(db)
  for (const { user_id } of rows) {
    await db.transaction().execute(async (tx) => {
      // The lock comes in a statement of its own, so that the copy reads the limits and breaks that others just stored.
      await sql`select lock_self_rules(${user_id})`.execute(tx)
      await sql`select copy_self_rules(${user_id})`.execute(tx)
    })
  }
}
