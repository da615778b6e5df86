import { MAX_TICK_AGE_MS } from '#core/markets/catalogue.ts'
import { readMarketType } from '#core/markets/market.ts'
import { assert } from '#core/result.ts'
import { readTermsHistory } from '#server/market-data/catalogue/terms.queries.ts'
import type { Db } from '#server/platform/database/tables.ts'
import type { StoredSymbol } from '#server/market-data/feeds/multi-source/plan-sources.ts'

/** All symbols of the database, including unlisted ones. Their prices were stored with these decimals. */
export async function readStoredSymbols(db: Db): Promise<StoredSymbol[]> {
  const terms = await readTermsHistory(db)
  const rows = await db.selectFrom('market_symbol').selectAll().orderBy('id').execute()
  return rows.map((row) => {
    const marketType = readMarketType(row.market_type)
    assert(marketType, `the database names a market we do not have: ${row.market_type}`)
    const age = terms.steps('max_tick_age', row.code).at(-1)
    return {
      id: row.id,
      code: row.code,
      name: row.name,
      marketType,
      decimals: row.decimals,
      maxTickAgeMs: age === undefined ? MAX_TICK_AGE_MS[marketType] : Number(age.value),
      // A symbol that is about to be listed needs prices too.
      isListed: terms.steps('symbol', row.code).at(-1)?.value === 'open',
      source: row.source,
    }
  })
}
