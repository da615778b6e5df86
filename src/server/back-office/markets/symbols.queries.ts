import { sql } from 'kysely'
import { type Money, money } from '#core/money/money.ts'
import type { MarketType } from '#core/markets/market.ts'
import type { Cursor } from '#server/platform/database/cursor.ts'
import type { Db } from '#server/platform/database/tables.ts'

export interface SymbolFilters {
  readonly marketType: MarketType | null
  readonly isListed: boolean | null
  /** A part of the code or the name. */
  readonly search: string | null
}

/**
 * Lists stored symbols in the order of the app. `after` holds the position and id of the last row of the previous page.
 */
export async function listSymbols(
  db: Db,
  { marketType, isListed, search }: SymbolFilters,
  { after, limit }: { readonly after: Cursor | null; readonly limit: number },
) {
  return await db
    .selectFrom('market_symbol')
    .selectAll()
    .$if(marketType !== null, (all) => all.where('market_type', '=', String(marketType)))
    .$if(isListed !== null, (all) => all.where('is_listed', '=', isListed === true))
    .$if(search !== null, (all) => {
      const part = `%${(search ?? '').toLowerCase().replace(/[\\%_]/g, (sign) => `\\${sign}`)}%`
      return all.where(sql<boolean>`(lower(code) like ${part} or lower(name) like ${part})`)
    })
    .$if(after !== null, (all) => {
      const [sort, id] = after ?? []
      return all.where(sql<boolean>`(sort, id) > (${Number(sort)}::int4, ${Number(id)}::int4)`)
    })
    .orderBy('sort')
    .orderBy('id')
    .limit(limit)
    .execute()
}

export async function findSymbol(db: Db, code: string) {
  return await db.selectFrom('market_symbol').selectAll().where('code', '=', code.toUpperCase()).executeTakeFirst()
}

/** Counts the open orders on a symbol and sums their stakes. */
export async function openOn(db: Db, symbolId: number): Promise<{ readonly orders: number; readonly stakes: Money }> {
  const { orders, stakes } = await db
    .selectFrom('open_order')
    .select([sql<bigint>`count(*)::int8`.as('orders'), sql<bigint>`coalesce(sum(stake), 0)::int8`.as('stakes')])
    .where('symbol_id', '=', symbolId)
    .executeTakeFirstOrThrow()
  return { orders: Number(orders), stakes: money(stakes) }
}

export type StoredSymbol = NonNullable<Awaited<ReturnType<typeof findSymbol>>>
