import type { Db } from '#server/platform/database/tables.ts'

/** Counts the notices of a user that are not marked as read. */
export async function countUnread(db: Db, userId: string): Promise<number> {
  const { unread } = await db
    .selectFrom('notice')
    .select(({ fn }) => fn.countAll<bigint>().as('unread'))
    .where('user_id', '=', userId)
    .where('read_ms', 'is', null)
    .executeTakeFirstOrThrow()
  return Number(unread)
}
