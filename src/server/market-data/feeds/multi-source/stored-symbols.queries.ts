import { sql } from 'kysely'
import { MAX_TICK_AGE_MS } from '#core/markets/catalogue.ts'
import { readMarketType } from '#core/markets/market.ts'
import { assert } from '#core/result.ts'
import { DAY_MS } from '#core/time/instant.ts'
import { readTermsHistory } from '#server/market-data/catalogue/terms.queries.ts'
import type { Db } from '#server/platform/database/tables.ts'
import type { StoredSymbol } from '#server/market-data/feeds/multi-source/plan-sources.ts'

/** All symbols of the database, including unlisted symbols. Their prices were stored with these decimals. */
export async function readStoredSymbols(db: Db): Promise<StoredSymbol[]> {
  const withOrders = await symbolsWithOrders(db)
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
      // A symbol that is about to be listed needs prices too. A symbol that is about to be unlisted needs prices until
      // a day after its last order.
      isListed: terms.steps('symbol', row.code).at(-1)?.value === 'open' || withOrders.has(row.id),
      source: row.source,
    }
  })
}

/** The symbols with an open order, or with one that ended within a day before the newest result. */
async function symbolsWithOrders(db: Db): Promise<ReadonlySet<number>> {
  const rows = await db
    .selectFrom('open_order')
    .select('symbol_id')
    .union((also) =>
      also
        .selectFrom('order_history')
        .select('symbol_id')
        .where('settled_ms', '>', sql<bigint>`(select max(settled_ms) from order_history) - ${DAY_MS}::int8`),
    )
    .execute()
  return new Set(rows.map((row) => row.symbol_id))
}
