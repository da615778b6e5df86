import { sql } from 'kysely'
import type { Cursor } from '#server/platform/database/cursor.ts'
import type { Db } from '#server/platform/database/tables.ts'

/** Lists planned closures of markets, the latest first. */
export async function listClosures(db: Db, after: Cursor | null, limit: number) {
  return await db
    .selectFrom('market_exception')
    .selectAll()
    .$if(after !== null, (all) => {
      const [from, id] = after ?? []
      return all.where(sql<boolean>`(from_ms, id) < (${Number(from)}::int8, ${String(id)}::uuid)`)
    })
    .orderBy('from_ms', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()
}

/** Returns which markets staff have closed or opened by hand, by market type. */
export async function findManualClosures(db: Db) {
  const rows = await db.selectFrom('market_closure').selectAll().execute()
  return new Map(rows.map((row) => [row.market_type, row]))
}
