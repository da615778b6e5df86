import { type Instant, instant } from '#core/time/instant.ts'
import type { Db } from '#server/platform/database/tables.ts'

/** A time in which a symbol accepts no orders, because too many were void. */
export interface VoidPause {
  readonly symbolId: number
  readonly from: Instant
  readonly until: Instant
}

export async function findNewestPause(db: Db, symbolId: number): Promise<VoidPause | null> {
  const row = await db
    .selectFrom('symbol_pause')
    .selectAll()
    .where('symbol_id', '=', symbolId)
    .orderBy('from_ms', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row === undefined
    ? null
    : { symbolId: row.symbol_id, from: instant(row.from_ms), until: instant(row.until_ms) }
}

export async function insertPause(db: Db, { symbolId, from, until }: VoidPause): Promise<void> {
  await db.insertInto('symbol_pause').values({ symbol_id: symbolId, from_ms: from, until_ms: until }).execute()
}

/** Whether orders of a symbol without a public record were void after an instant. */
export async function hasVoidSince(db: Db, symbolId: number, since: Instant): Promise<boolean> {
  const row = await db
    .selectFrom('decided_price')
    .select('symbol_id')
    .where('symbol_id', '=', symbolId)
    .where('expires_ms', '>', BigInt(since))
    .where('void_reason', 'is not', null)
    .where('evidence', '=', 'none')
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}
