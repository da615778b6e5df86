import type { PlannedClosure } from '#core/markets/calendar/trading.ts'
import { type MarketType, productId, readMarketType } from '#core/markets/market.ts'
import { splitsInForce } from '#core/markets/splits/splits.ts'
import { type Money, money } from '#core/money/money.ts'
import { assert } from '#core/result.ts'
import { DAY_MS, instant, type Instant } from '#core/time/instant.ts'
import type { Ctx } from '#server/platform/context/context.ts'
import type { Db } from '#server/platform/database/tables.ts'
import type { ListedSymbol, MarketCatalogue } from '#server/market-data/catalogue/market-catalogue.ts'
import { hasSplits, readSplits } from '#server/market-data/catalogue/splits.queries.ts'
import { readTerms, settingsInTurn, type Terms } from '#server/market-data/catalogue/trade-terms.ts'

interface Contents {
  readonly symbols: readonly ListedSymbol[]
  readonly known: readonly ListedSymbol[]
  readonly terms: readonly Terms[]
  readonly quickAmounts: readonly Money[]
  readonly closures: ReadonlyMap<MarketType, string>
  readonly planned: readonly PlannedClosure[]
  readonly byName: ReadonlyMap<string, ListedSymbol>
  readonly byId: ReadonlyMap<number, ListedSymbol>
  readonly agesBefore: readonly AgeBefore[]
}

/** Reads the catalogue from the database and keeps it in memory. `reload` reads all of it again. */
export async function loadCatalogue({ db, now }: Pick<Ctx, 'db' | 'now'>): Promise<MarketCatalogue> {
  let contents = await readContents(db, now())
  let settingsAt = settingsInTurn(contents.terms)
  let reading: Promise<unknown> = Promise.resolve()

  async function read(): Promise<void> {
    contents = await readContents(db, now())
    settingsAt = settingsInTurn(contents.terms)
  }
  return {
    get symbols() {
      return contents.symbols
    },
    get known() {
      return contents.known
    },
    get settings() {
      return settingsAt(now())
    },
    get quickAmounts() {
      return contents.quickAmounts
    },
    get closures() {
      return contents.closures
    },
    get planned() {
      return contents.planned
    },
    find: (symbol) => contents.byName.get(symbol.toUpperCase()) ?? null,
    byId: (id) => contents.byId.get(id) ?? null,
    tickAgeAt(symbolId, expiresAt) {
      const before = contents.agesBefore.find((age) => age.symbolId === symbolId && expiresAt <= age.until)
      return before?.maxTickAgeMs ?? contents.byId.get(symbolId)?.maxTickAgeMs ?? null
    },
    reload() {
      // Reloads run one after another: an earlier read must not finish later and restore old data.
      const next = reading.then(read)
      reading = next.catch(() => undefined)
      return next
    },
  }
}

async function readContents(db: Db, now: Instant): Promise<Contents> {
  // Unlisted symbols stay known by id, because orders and histories name them.
  const all = await readSymbols(db)
  const known = all.map(({ symbol }) => symbol)
  const symbols = all.filter(({ isListed }) => isListed).map(({ symbol }) => symbol)
  const byName = new Map<string, ListedSymbol>()
  for (const symbol of symbols) {
    byName.set(symbol.productId, symbol)
    byName.set(symbol.code, symbol)
  }
  return {
    symbols,
    known,
    terms: await readTerms(db),
    quickAmounts: await readQuickAmounts(db),
    closures: await readClosures(db),
    planned: await readPlannedClosures(db, now),
    byName,
    byId: new Map(known.map((symbol) => [symbol.id, symbol])),
    agesBefore: await readAgesBefore(db, now),
  }
}

async function readSymbols(db: Db): Promise<{ symbol: ListedSymbol; isListed: boolean }[]> {
  const splits = await readSplits(db)
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
      splits: hasSplits(row) ? splitsInForce(splits.get(row.id) ?? []) : [],
    }
    return { symbol, isListed: row.is_listed }
  })
}

async function readQuickAmounts(db: Db): Promise<Money[]> {
  const rows = await db.selectFrom('quick_amount').select('amount').orderBy('amount').execute()
  return rows.map(({ amount }) => money(amount))
}

async function readClosures(db: Db): Promise<Map<MarketType, string>> {
  const rows = await db.selectFrom('market_closure').select(['market_type', 'reason']).execute()
  return new Map(rows.flatMap((row) => (row.reason === null ? [] : [[toMarketType(row.market_type), row.reason]])))
}

async function readPlannedClosures(db: Db, now: Instant): Promise<PlannedClosure[]> {
  const rows = await db
    .selectFrom('market_exception')
    .selectAll()
    .where('to_ms', '>', BigInt(now))
    .orderBy('from_ms')
    .orderBy('id')
    .execute()
  return rows.map((row) => ({
    marketType: toMarketType(row.market_type),
    from: instant(row.from_ms),
    to: instant(row.to_ms),
    reason: row.reason,
  }))
}

/** An earlier maximum price age, for expiries up to a moment. */
interface AgeBefore {
  readonly symbolId: number
  readonly until: Instant
  readonly maxTickAgeMs: number
}

/** Orders of up to a day settle at the latest when the server starts. A week leaves room for a server that was down. */
const AGE_RETENTION_MS = 7 * DAY_MS

async function readAgesBefore(db: Db, now: Instant): Promise<AgeBefore[]> {
  const rows = await db
    .selectFrom('tick_age_before')
    .selectAll()
    .where('until_ms', '>', BigInt(now - AGE_RETENTION_MS))
    .orderBy('until_ms')
    .execute()
  return rows.map((row) => ({
    symbolId: row.symbol_id,
    until: instant(row.until_ms),
    maxTickAgeMs: row.max_tick_age_ms,
  }))
}

function toMarketType(text: string): MarketType {
  const type = readMarketType(text)
  assert(type, `the database names a market we do not have: ${text}`)
  return type
}
