import { sql } from 'kysely'
import type { SplitVersion } from '#core/markets/splits/splits.ts'
import { instant } from '#core/time/instant.ts'
import type { Cursor } from '#server/platform/database/keyset-pagination.ts'
import type { Db, Tx } from '#server/platform/database/tables.ts'
import { SYNTHETIC } from '#server/market-data/feeds/synthetic/synthetic-market.ts'

/** Lists every version of every split, by symbol. */
export async function readSplits(db: Db): Promise<ReadonlyMap<number, readonly SplitVersion[]>> {
  const rows = await db.selectFrom('stock_split').selectAll().execute()
  const bySymbol = new Map<number, SplitVersion[]>()
  for (const row of rows) {
    const { symbol_id: id, version, new_shares: newShares, old_shares: oldShares } = row
    const split = { version, newShares, oldShares, effectiveAt: instant(row.effective_ms) }
    bySymbol.set(id, [...(bySymbol.get(id) ?? []), split])
  }
  return bySymbol
}

/** Whether the prices of a symbol follow the splits of its company; simulated prices do not. */
export function hasSplits(symbol: { readonly market_type: string; readonly source: string }): boolean {
  return symbol.market_type === 'us_stocks' && symbol.source !== SYNTHETIC
}

/** Locks the symbol, so that two versions of one split are not announced concurrently. */
export async function lockSymbol(tx: Tx, code: string) {
  return await tx.selectFrom('market_symbol').selectAll().where('code', '=', code).forUpdate().executeTakeFirst()
}

/** The newest version of a split; null when none was announced for that day. */
export async function newestSplit(tx: Tx, symbolId: number, day: number) {
  const row = await tx
    .selectFrom('stock_split')
    .selectAll()
    .where('symbol_id', '=', symbolId)
    .where('trading_day', '=', day)
    .orderBy('version', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row ?? null
}

/**
 * Lists announced splits, newest first. `after` holds the instant, symbol, day and version of the last split on the
 * previous page.
 */
export async function listSplits(db: Db, code: string | null, after: Cursor | null, limit: number) {
  return await db
    .selectFrom('stock_split as s')
    .innerJoin('market_symbol as m', 'm.id', 's.symbol_id')
    .selectAll('s')
    .select(['m.code'])
    .select((query) =>
      query
        .selectFrom('stock_split as other')
        .select(({ fn }) => fn.max('other.version').as('newest'))
        .whereRef('other.symbol_id', '=', 's.symbol_id')
        .whereRef('other.trading_day', '=', 's.trading_day')
        .as('newest'),
    )
    .$if(code !== null, (all) => all.where('m.code', '=', code))
    .$if(after !== null, (all) => {
      const [at, id, day, version] = (after ?? []).map(Number)
      const place = sql`(${at}::int8, ${id}::int4, ${day}::int4, ${version}::int4)`
      return all.where(sql<boolean>`(s.announced_ms, s.symbol_id, s.trading_day, s.version) < ${place}`)
    })
    .orderBy('s.announced_ms', 'desc')
    .orderBy('s.symbol_id', 'desc')
    .orderBy('s.trading_day', 'desc')
    .orderBy('s.version', 'desc')
    .limit(limit)
    .execute()
}
