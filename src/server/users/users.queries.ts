import { sql } from 'kysely'
import type { Db, Tx } from '#server/db/tables.ts'

export interface Account {
  readonly id: string
  readonly username: string
  readonly mayTrade: boolean
  readonly tradeReason: string
}

/** The account of a name in any case, its row locked. */
export async function lockAccount(tx: Tx, username: string): Promise<Account | null> {
  const row = await tx
    .selectFrom('app_user')
    .select(['id', 'username', 'trade_allowed', 'trade_reason'])
    .where(sql`lower(username)`, '=', username.toLowerCase())
    .forUpdate()
    .executeTakeFirst()
  if (!row) return null
  return { id: row.id, username: row.username, mayTrade: row.trade_allowed, tradeReason: row.trade_reason }
}

/** Whose name this is, in any case; null when nobody's. */
export async function findUserId(db: Db, username: string): Promise<string | null> {
  const row = await db
    .selectFrom('app_user')
    .select('id')
    .where(sql`lower(username)`, '=', username.toLowerCase())
    .executeTakeFirst()
  return row?.id ?? null
}
