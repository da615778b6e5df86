import { readMarketType } from '#core/markets/market.ts'
import { assert } from '#core/result.ts'
import type { Db } from '#server/platform/database/tables.ts'
import type { StoredSymbol } from '#server/market-data/feeds/multi-source/plan-sources.ts'

/** All symbols of the database, including unlisted ones. Their prices were stored with these decimals. */
export async function readStoredSymbols(db: Db): Promise<StoredSymbol[]> {
  const rows = await db.selectFrom('market_symbol').selectAll().orderBy('id').execute()
  return rows.map((row) => {
    const marketType = readMarketType(row.market_type)
    assert(marketType, `the database names a market we do not have: ${row.market_type}`)
    return {
      id: row.id,
      code: row.code,
      name: row.name,
      marketType,
      decimals: row.decimals,
      maxTickAgeMs: row.max_tick_age_ms,
      isListed: row.is_listed,
      source: row.source,
    }
  })
}
