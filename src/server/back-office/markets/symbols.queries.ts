import { likeText } from '#server/back-office/api/like-text.ts'
import { sql } from 'kysely'
import { type Money, money } from '#core/money/money.ts'
import type { MarketType } from '#core/markets/market.ts'
import { type Keyset, type Page, pageAfter } from '#server/platform/database/keyset-pagination.ts'
import type { Db } from '#server/platform/database/tables.ts'

export interface SymbolFilters {
  readonly marketType: MarketType | null
  readonly isListed: boolean | null
  /** The symbols that the trade terms list now. */
  readonly listedIds: readonly number[]
  /** A part of the code or the name. */
  readonly search: string | null
}

const BY_POSITION: Keyset = {
  columns: [
    ['sort', 'int4'],
    ['id', 'int4'],
  ],
  order: 'asc',
}

/** Lists stored symbols in the order in which the app shows them. */
export async function listSymbols(db: Db, { marketType, isListed, listedIds, search }: SymbolFilters, page: Page) {
  const symbols = db
    .selectFrom('market_symbol')
    .selectAll()
    .$if(marketType !== null, (all) => all.where('market_type', '=', String(marketType)))
    .$if(isListed !== null, (all) => all.where(sql<boolean>`(id = any(${listedIds}::int4[])) = ${isListed === true}`))
    .$if(search !== null, (all) => {
      const part = `%${likeText((search ?? '').toLowerCase())}%`
      return all.where(sql<boolean>`(lower(code) like ${part} or lower(name) like ${part})`)
    })
  return await pageAfter(symbols, BY_POSITION, page).execute()
}

export async function findSymbol(db: Db, code: string) {
  return await db.selectFrom('market_symbol').selectAll().where('code', '=', code.toUpperCase()).executeTakeFirst()
}

/** Counts the open orders of money on a symbol and sums their stakes. */
export async function openOn(db: Db, symbolId: number): Promise<{ readonly orders: number; readonly stakes: Money }> {
  const { orders, stakes } = await db
    .selectFrom('open_order')
    .select([sql<bigint>`count(*)::int8`.as('orders'), sql<bigint>`coalesce(sum(stake), 0)::int8`.as('stakes')])
    .where('symbol_id', '=', symbolId)
    .where(sql<boolean>`not is_practice(user_id)`)
    .executeTakeFirstOrThrow()
  return { orders: Number(orders), stakes: money(stakes) }
}

export type StoredSymbol = NonNullable<Awaited<ReturnType<typeof findSymbol>>>
