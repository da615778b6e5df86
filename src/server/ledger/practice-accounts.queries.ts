import { sql } from 'kysely'
import { type AccountName, isPracticeId } from '#core/accounts/practice.ts'
import { ok, refuse, type Result } from '#core/result.ts'
import type { Db, Tx } from '#server/platform/database/tables.ts'

/** Finds the practice account of a user. Null when it is not open. */
export async function findPracticeId(db: Db | Tx, ownerId: string): Promise<string | null> {
  const row = await db.selectFrom('app_user').select('id').where('practice_of', '=', ownerId).executeTakeFirst()
  return row?.id ?? null
}

/** Lists the open practice accounts of users. */
export async function listPracticeIds(db: Db, ownerIds: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from app_user where practice_of = any(${ownerIds}::uuid[])`.execute(db)
  return rows.map(({ id }) => id)
}

/** Finds the user whose breaks, rights and sockets count for an account: the account itself, or the owner of practice. */
export async function findOwnerId(db: Db, userId: string): Promise<string> {
  if (!isPracticeId(userId)) return userId
  const row = await db.selectFrom('app_user').select('practice_of').where('id', '=', userId).executeTakeFirst()
  return row?.practice_of ?? userId
}

/** Returns the id of the account that a user's request names. The default is the account with money. */
export async function accountOf(
  db: Db,
  userId: string,
  account: AccountName | undefined,
): Promise<Result<string, 'practice_none'>> {
  if (account !== 'practice') return ok(userId)
  const id = await findPracticeId(db, userId)
  return id === null ? refuse('practice_none') : ok(id)
}
