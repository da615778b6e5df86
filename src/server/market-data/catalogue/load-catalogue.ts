import type { PlannedClosure } from '#core/markets/calendar/trading.ts'
import type { Maintenance } from '#core/markets/maintenance.ts'
import { MAX_TICK_AGE_MS } from '#core/markets/catalogue.ts'
import { type MarketType, productId, readMarketType } from '#core/markets/market.ts'
import { splitsInForce } from '#core/markets/splits/splits.ts'
import { offeredTerms, type SettlementAge, settlementAges } from '#core/markets/terms/offered-terms.ts'
import type { TermsHistory } from '#core/markets/terms/terms-history.ts'
import { type Money, money } from '#core/money/money.ts'
import { unitOfSeconds } from '#core/orders/order-unit.ts'
import { assert } from '#core/result.ts'
import { instant, type Instant } from '#core/time/instant.ts'
import { oneAfterAnother } from '#server/platform/concurrency/one-after-another.ts'
import type { Ctx } from '#server/platform/context/context.ts'
import type { Db } from '#server/platform/database/tables.ts'
import type { ListedSymbol, MarketCatalogue, TradeSetting } from '#server/market-data/catalogue/market-catalogue.ts'
import { pauseAt, readPauses, type StoredPause } from '#server/market-data/catalogue/pauses.queries.ts'
import { hasSplits, readSplits } from '#server/market-data/catalogue/splits.queries.ts'
import { type EvidenceClasses, readEvidenceClasses } from '#server/market-data/source-versions/evidence-classes.ts'
import {
  readDurations,
  readTermsHashes,
  readTermsHistory,
  unloggedTermsFrom,
} from '#server/market-data/catalogue/terms.queries.ts'

/** The stored rows, which only a reload changes. */
interface Contents {
  /** All symbols. Unlisted symbols stay known by id, because orders and histories name them. */
  readonly stored: readonly ListedSymbol[]
  readonly durations: readonly { readonly id: number; readonly seconds: number }[]
  readonly terms: TermsHistory
  readonly settlementAges: ReadonlyMap<number, readonly SettlementAge[]>
  readonly termsHashes: ReadonlyMap<number, string>
  readonly evidence: EvidenceClasses
  readonly pauses: readonly StoredPause[]
  readonly quickAmounts: readonly Money[]
  readonly closures: ReadonlyMap<MarketType, string>
  readonly planned: readonly PlannedClosure[]
  readonly maintenance: readonly Maintenance[]
}

/** The offer that follows from the trade terms, from one moment until the next announced change. */
interface Offer {
  readonly from: Instant
  readonly until: number
  readonly settings: readonly TradeSetting[]
  readonly symbols: readonly ListedSymbol[]
  readonly known: readonly ListedSymbol[]
  readonly byName: ReadonlyMap<string, ListedSymbol>
  readonly knownByName: ReadonlyMap<string, ListedSymbol>
  readonly byId: ReadonlyMap<number, ListedSymbol>
}

/**
 * Reads the catalogue from the database and keeps it in memory. `reload` reads all of it again. Each announced change
 * of the trade terms takes effect at its announced time, without a reload.
 */
export async function loadCatalogue({ db, now }: Pick<Ctx, 'db' | 'now'>): Promise<MarketCatalogue> {
  let contents = await readContents(db, now())
  let offer = offerAt(contents, now())
  let unloggedFrom = await unloggedTermsFrom(db)

  function current(): Offer {
    const at = now()
    if (at < offer.from || at >= offer.until) offer = offerAt(contents, at)
    return offer
  }
  async function read(): Promise<void> {
    const unlogged = await unloggedTermsFrom(db)
    contents = await readContents(db, now())
    unloggedFrom = unlogged
    offer = offerAt(contents, now())
  }
  return {
    get symbols() {
      return current().symbols
    },
    get known() {
      return current().known
    },
    get settings() {
      return current().settings
    },
    get terms() {
      return contents.terms
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
    get maintenance() {
      return contents.maintenance
    },
    find: (symbol) => current().byName.get(symbol.toUpperCase()) ?? null,
    findKnown(symbol) {
      const { byName, knownByName } = current()
      const name = symbol.toUpperCase()
      return byName.get(name) ?? knownByName.get(name) ?? null
    },
    byId: (id) => current().byId.get(id) ?? null,
    tickAgeAt(symbolId, expiresAt) {
      const ages = contents.settlementAges.get(symbolId) ?? []
      return ages.find(({ until }) => expiresAt <= until)?.maxTickAgeMs ?? null
    },
    evidenceOf: (symbolId, source) => contents.evidence.classOf(symbolId, source, now()),
    pauseOf: (symbolId, at) => pauseAt(contents.pauses, symbolId, at),
    termsHash: (n) => contents.termsHashes.get(n) ?? null,
    areTermsLogged: (at) => at < unloggedFrom,
    async refreshLogged() {
      if (unloggedFrom !== Number.POSITIVE_INFINITY) unloggedFrom = await unloggedTermsFrom(db)
    },
    reload: oneAfterAnother(read),
  }
}

async function readContents(db: Db, now: Instant): Promise<Contents> {
  const stored = await readSymbols(db)
  const terms = await readTermsHistory(db)
  return {
    stored,
    terms,
    termsHashes: await readTermsHashes(db),
    evidence: await readEvidenceClasses(db, now),
    durations: await readDurations(db),
    pauses: await readPauses(db, now),
    settlementAges: new Map(stored.map(({ id, code }) => [id, settlementAges(terms, code)])),
    quickAmounts: await readQuickAmounts(db),
    closures: await readClosures(db),
    planned: await readPlannedClosures(db, now),
    maintenance: await readMaintenance(db, now),
  }
}

function offerAt({ stored, terms, durations }: Contents, at: Instant): Offer {
  const known = stored.map((symbol) => ({ ...symbol, maxTickAgeMs: tickAge(terms, symbol, at) }))
  const symbols = known.filter(({ code }) => isListed(terms, code, at))
  const settings = durations.flatMap(({ id, seconds }) => {
    const offered = offeredTerms(terms, seconds, at)
    return offered === null ? [] : [{ id, unit: unitOfSeconds(seconds), ...offered }]
  })
  return {
    from: at,
    until: terms.nextChange(at),
    settings,
    symbols,
    known,
    byName: namesOf(symbols),
    knownByName: namesOf(known),
    byId: new Map(known.map((symbol) => [symbol.id, symbol])),
  }
}

/** When a text is the code of one symbol and the product id of another, it finds the symbol with this code. */
function namesOf(symbols: readonly ListedSymbol[]): ReadonlyMap<string, ListedSymbol> {
  return new Map([
    ...symbols.map((one) => [one.productId, one] as const),
    ...symbols.map((one) => [one.code, one] as const),
  ])
}

function isListed(terms: TermsHistory, code: string, at: Instant): boolean {
  return terms.inForce('symbol', code, at)?.value === 'open' && terms.inForce('max_tick_age', code, at) !== null
}

/**
 * The maximum price age of a symbol. Before the first announced age is in force, the symbol accepts no orders, and the
 * usual age of its market is shown.
 */
function tickAge(terms: TermsHistory, { code, marketType }: ListedSymbol, at: Instant): number {
  const inForce = terms.inForce('max_tick_age', code, at)
  return inForce === null ? MAX_TICK_AGE_MS[marketType] : Number(inForce.value)
}

async function readSymbols(db: Db): Promise<ListedSymbol[]> {
  const splits = await readSplits(db)
  const rows = await db.selectFrom('market_symbol').selectAll().orderBy('sort').orderBy('id').execute()
  return rows.map((row) => {
    const code = row.code.toUpperCase()
    const marketType = toMarketType(row.market_type)
    return {
      id: row.id,
      code,
      name: row.name,
      marketType,
      productId: productId({ code, marketType }),
      decimals: row.decimals,
      maxTickAgeMs: MAX_TICK_AGE_MS[marketType],
      isFeatured: row.is_featured,
      color: row.color,
      image: row.image,
      closedReason: row.closed_reason,
      splits: hasSplits(row) ? splitsInForce(splits.get(row.id) ?? []) : [],
    }
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

async function readMaintenance(db: Db, now: Instant): Promise<Maintenance[]> {
  const rows = await db
    .selectFrom('maintenance')
    .select(['from_ms', 'to_ms', 'words'])
    .where('ended_ms', 'is', null)
    .where((by) => by.or([by('to_ms', 'is', null), by('to_ms', '>', BigInt(now))]))
    .orderBy('from_ms')
    .orderBy('id')
    .execute()
  return rows.map(({ from_ms: from, to_ms: to, words }) => ({
    from: instant(from),
    to: to === null ? null : instant(to),
    words,
  }))
}

function toMarketType(text: string): MarketType {
  const type = readMarketType(text)
  assert(type, `the database names a market we do not have: ${text}`)
  return type
}
