import { sql } from 'kysely'
import type { BreakKind } from '#core/accounts/self-limits.ts'
import type { Db, Tx } from '#server/platform/database/tables.ts'

export interface NewBreak {
  readonly userId: string
  readonly id: string
  readonly kind: BreakKind
  readonly length: number
  /** The staff member who enters it at the user's request, with words for the user. */
  readonly entered?: { readonly by: string; readonly words: string }
}

/** Begins a break. The database sets its times, and refuses one that would end before a break in force. */
export async function insertBreak(db: Db, own: NewBreak): Promise<void> {
  const { userId, id, kind, length, entered } = own
  await db
    .insertInto('self_break')
    .values({ user_id: userId, id, kind, length, staff_id: entered?.by ?? null, words: entered?.words ?? null })
    .execute()
}

export async function insertReturn(tx: Tx, userId: string, breakId: string): Promise<void> {
  await tx.insertInto('self_return').values({ user_id: userId, break_id: breakId }).execute()
}

/** Confirms a return. The database refuses it within 24 hours. */
export async function confirmReturn(tx: Tx, userId: string, breakId: string): Promise<void> {
  await tx
    .updateTable('self_return')
    .set({ confirmed_ms: 0 }) // The database sets its own time.
    .where('user_id', '=', userId)
    .where('break_id', '=', breakId)
    .execute()
}

/** Updates the copied rules of users whose time-out is over. Until then their orders take the slower statement. */
export async function clearEndedBreaks(db: Db): Promise<void> {
  await sql`
    select copy_self_rules(b.user_id)
    from (select distinct user_id from self_break where kind = 'time_out') t
    join balance b on b.user_id = t.user_id
    where b.closed_until_ms <= extract(epoch from clock_timestamp()) * 1000`.execute(db)
}
