import type { Db } from '#server/platform/database/tables.ts'

export async function findUserName(db: Db, userId: string): Promise<string | null> {
  const row = await db.selectFrom('app_user').select('username').where('id', '=', userId).executeTakeFirst()
  return row?.username ?? null
}
