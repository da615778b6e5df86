import { type Keyset, type Page, pageAfter } from '#server/platform/database/keyset-pagination.ts'
import type { Db } from '#server/platform/database/tables.ts'

const LATEST_FIRST: Keyset = {
  columns: [
    ['from_ms', 'int8'],
    ['id', 'uuid'],
  ],
  order: 'desc',
}

/** Lists planned closures of markets, the latest first. */
export async function listClosures(db: Db, page: Page) {
  return await pageAfter(db.selectFrom('market_exception').selectAll(), LATEST_FIRST, page).execute()
}

/** Returns which markets staff have closed or opened by hand, by market type. */
export async function findManualClosures(db: Db) {
  const rows = await db.selectFrom('market_closure').selectAll().execute()
  return new Map(rows.map((row) => [row.market_type, row]))
}
