import type { SymbolRow } from '#contract/back-office/symbols.ts'
import { staffCalls } from '#contract/back-office/staff-calls.ts'
import { readMarketType } from '#core/markets/market.ts'
import { moneyNumber } from '#core/money/money.ts'
import { priceNumber } from '#core/money/price.ts'
import { assert, ok, refuse } from '#core/result.ts'
import { toIso } from '#core/time/instant.ts'
import type { RegisterStaff } from '#server/back-office/api/register-staff-call.ts'
import type { RegisterStaffList } from '#server/back-office/api/register-staff-list.ts'
import type { Ctx } from '#server/platform/context/context.ts'
import { addSymbol } from '#server/market-data/catalogue/add-symbol.ts'
import { closeSymbol } from '#server/market-data/hours/close-symbol.ts'
import { editSymbol } from '#server/market-data/catalogue/edit-symbol.ts'
import type { MarketCatalogue } from '#server/market-data/catalogue/market-catalogue.ts'
import { marketHours } from '#server/market-data/hours/market-status.ts'
import { findSymbol, listSymbols, openOn, type StoredSymbol } from '#server/back-office/markets/symbols.queries.ts'
import { setSymbolPicture } from '#server/market-data/catalogue/symbol-picture.ts'
import type { TickService } from '#server/market-data/ticks.ts'

interface StaffSymbolsParts {
  readonly ctx: Ctx
  readonly catalogue: MarketCatalogue
  readonly ticks: TickService
}

/** Registers the calls for symbols: list, add, edit and close. No call sets a price. */
export function staffSymbolsRoutes(
  register: RegisterStaff,
  registerList: RegisterStaffList,
  { ctx, catalogue, ticks }: StaffSymbolsParts,
): void {
  registerList(staffCalls.staffSymbols, async ({ filters: { market_type: type, listed, search }, after, limit }) => {
    const isListed = listed === undefined ? null : listed === 'yes'
    const wanted = { marketType: type ?? null, isListed, search: search ?? null }
    const symbols = await listSymbols(ctx.db, wanted, { after, limit })
    return symbols.map((symbol) => ({ row: toRow(symbol), cursor: [symbol.sort, symbol.id] }))
  })
  register(staffCalls.staffSymbol, async ({ params: { code } }) => {
    const symbol = await findSymbol(ctx.db, code)
    if (!symbol) return refuse('not_found')
    const { orders, stakes } = await openOn(ctx.db, symbol.id)
    return ok({ ...toRow(symbol), open_orders: orders, open_stakes: moneyNumber(stakes) })
  })
  register(staffCalls.staffPriceSource, async () => ok({ source: ticks.source }))
  register(staffCalls.staffAddSymbol, async ({ body, actor }) => {
    const { code, name, decimals, source, color } = body
    const symbol = {
      code,
      name,
      marketType: body.market_type,
      decimals,
      maxTickAgeMs: body.max_tick_age_ms,
      source,
      providerSymbol: body.provider_symbol === '' ? code : body.provider_symbol,
      isFeatured: body.is_featured,
      color,
    }
    return addSymbol({ ctx, catalogue, ticks }, symbol, actor)
  })
  register(staffCalls.staffEditSymbol, async ({ params: { code }, body, actor }) => {
    const { version, decimals, ...edit } = body
    return editSymbol(ctx, catalogue, { code, version, decimals, edit, actor })
  })
  register(staffCalls.staffCloseSymbol, async ({ params: { code }, body: { version, words }, actor }) =>
    words === '' ? refuse('words_needed') : close({ code, reason: words, seenVersion: version, actor }),
  )
  register(staffCalls.staffOpenSymbol, async ({ params: { code }, body: { version }, actor }) =>
    close({ code, reason: null, seenVersion: version, actor }),
  )
  register(staffCalls.staffSymbolPicture, async ({ params: { code }, body: { version, picture }, actor }) =>
    setSymbolPicture(ctx, catalogue, { code, version, file: picture ?? null, actor }),
  )

  async function close(closure: Parameters<typeof closeSymbol>[2]) {
    const done = await closeSymbol(ctx, catalogue, closure)
    if (done.ok) return ok(null)
    return done.refusal === 'symbol_unknown' ? refuse('not_found') : { ...done, refusal: done.refusal }
  }

  function toRow(symbol: StoredSymbol): SymbolRow {
    const marketType = readMarketType(symbol.market_type)
    assert(marketType, 'a symbol belongs to a kind of market we have')
    const latest = ticks.latest(symbol.id)
    return {
      code: symbol.code,
      name: symbol.name,
      market_type: marketType,
      is_listed: symbol.is_listed,
      is_featured: symbol.is_featured,
      ...openness(symbol.closed_reason, marketType),
      decimals: symbol.decimals,
      tick_size: (10 ** -symbol.decimals).toFixed(symbol.decimals),
      max_tick_age_ms: symbol.max_tick_age_ms,
      source: symbol.source,
      provider_symbol: symbol.provider_symbol,
      sort: symbol.sort,
      color: symbol.color,
      image: symbol.image,
      price: latest && priceNumber(latest.price, symbol.decimals),
      price_at: latest && toIso(latest.time),
      version: symbol.version,
    }
  }

  function openness(
    ownReason: string | null,
    marketType: SymbolRow['market_type'],
  ): Pick<SymbolRow, 'is_open' | 'closed_by' | 'closed_reason'> {
    if (ownReason !== null) return { is_open: false, closed_by: 'symbol', closed_reason: ownReason }
    const { isOpen, reason } = marketHours(catalogue, marketType, ctx.now())
    if (isOpen) return { is_open: true, closed_by: null, closed_reason: null }
    const closedBy = catalogue.closures.has(marketType) ? 'market' : reason === null ? 'calendar' : 'plan'
    return { is_open: false, closed_by: closedBy, closed_reason: reason }
  }
}
