import { type MarketType, productId, readMarketType } from '#core/markets/market.ts'
import { basisPoints, type Money, money } from '#core/money/money.ts'
import { assert } from '#core/result.ts'
import type { Db } from '#server/db/tables.ts'
import type { ListedSymbol, MarketCatalogue, TradeSetting } from '#server/markets/market-catalogue.ts'

interface Contents {
  readonly symbols: readonly ListedSymbol[]
  readonly settings: readonly TradeSetting[]
  readonly quickAmounts: readonly Money[]
  readonly closures: ReadonlyMap<MarketType, string>
  readonly byName: ReadonlyMap<string, ListedSymbol>
  readonly byId: ReadonlyMap<number, ListedSymbol>
}

/** Reads what can be traded from the database and keeps it; `reload` reads it again, whole. */
export async function loadCatalogue(db: Db): Promise<MarketCatalogue> {
  let contents = await readContents(db)
  return {
    get symbols() {
      return contents.symbols
    },
    get settings() {
      return contents.settings
    },
    get quickAmounts() {
      return contents.quickAmounts
    },
    get closures() {
      return contents.closures
    },
    find: (symbol) => contents.byName.get(symbol.toUpperCase()) ?? null,
    byId: (id) => contents.byId.get(id) ?? null,
    async reload() {
      contents = await readContents(db)
    },
  }
}

async function readContents(db: Db): Promise<Contents> {
  // Symbols that are no longer listed stay known by id: orders and histories name them.
  const all = await readSymbols(db)
  const symbols = all.filter(({ isListed }) => isListed).map(({ symbol }) => symbol)
  const byName = new Map<string, ListedSymbol>()
  for (const symbol of symbols) {
    byName.set(symbol.productId, symbol)
    byName.set(symbol.code, symbol)
  }
  return {
    symbols,
    settings: await readTradeSettings(db),
    quickAmounts: await readQuickAmounts(db),
    closures: await readClosures(db),
    byName,
    byId: new Map(all.map(({ symbol }) => [symbol.id, symbol])),
  }
}

async function readSymbols(db: Db): Promise<{ symbol: ListedSymbol; isListed: boolean }[]> {
  const rows = await db.selectFrom('market_symbol').selectAll().orderBy('sort').orderBy('id').execute()
  return rows.map((row) => {
    const code = row.code.toUpperCase()
    const marketType = toMarketType(row.market_type)
    const symbol = {
      id: row.id,
      code,
      name: row.name,
      marketType,
      productId: productId({ code, marketType }),
      decimals: row.decimals,
      maxTickAgeMs: row.max_tick_age_ms,
      isFeatured: row.is_featured,
      color: row.color,
      image: row.image,
      closedReason: row.closed_reason,
    }
    return { symbol, isListed: row.is_listed }
  })
}

async function readTradeSettings(db: Db): Promise<TradeSetting[]> {
  const rows = await db
    .selectFrom('trade_setting')
    .selectAll()
    .where('is_offered', '=', true)
    .orderBy('seconds')
    .orderBy('id')
    .execute()
  return rows.map((row) => ({
    id: row.id,
    seconds: row.seconds,
    unit: toUnit(row.unit),
    minimum: money(row.min_amount),
    maximum: money(row.max_amount),
    payout: basisPoints(row.profit_basis_points),
  }))
}

async function readQuickAmounts(db: Db): Promise<Money[]> {
  const rows = await db.selectFrom('quick_amount').select('amount').orderBy('amount').execute()
  return rows.map(({ amount }) => money(amount))
}

async function readClosures(db: Db): Promise<Map<MarketType, string>> {
  const rows = await db.selectFrom('market_closure').select(['market_type', 'reason']).execute()
  return new Map(rows.map((row) => [toMarketType(row.market_type), row.reason]))
}

function toMarketType(text: string): MarketType {
  const type = readMarketType(text)
  assert(type, `the database names a market we do not have: ${text}`)
  return type
}

function toUnit(text: string): TradeSetting['unit'] {
  assert(text === 'minute' || text === 'hour' || text === 'day', `the database names a unit we do not have: ${text}`)
  return text
}
