import { staffCalls } from '#contract/back-office/staff-calls.ts'
import type { Mode } from '#core/markets/terms/terms-limits.ts'
import { moneyNumber } from '#core/money/money.ts'
import { ok, refuse } from '#core/result.ts'
import { toIso } from '#core/time/instant.ts'
import type { RegisterStaff } from '#server/back-office/api/register-staff-call.ts'
import type { RegisterStaffList } from '#server/back-office/api/register-staff-list.ts'
import type { Ctx } from '#server/platform/context/context.ts'
import { addSymbol } from '#server/market-data/catalogue/add-symbol.ts'
import { closeSymbol } from '#server/market-data/hours/close-symbol.ts'
import { editSymbol } from '#server/market-data/catalogue/edit-symbol.ts'
import type { MarketCatalogue } from '#server/market-data/catalogue/market-catalogue.ts'
import { toSymbolRow } from '#server/back-office/markets/symbol-reply.ts'
import { findSymbol, listSymbols, openOn, type StoredSymbol } from '#server/back-office/markets/symbols.queries.ts'
import { setSymbolPicture } from '#server/market-data/catalogue/symbol-picture.ts'
import type { TickService } from '#server/market-data/ticks.ts'

interface StaffSymbolsParts {
  readonly ctx: Ctx
  readonly catalogue: MarketCatalogue
  readonly ticks: TickService
  readonly mode: Mode
}

/** Registers the calls for symbols: list, add, edit and close. No call sets a price. */
export function staffSymbolsRoutes(
  register: RegisterStaff,
  registerList: RegisterStaffList,
  { ctx, catalogue, ticks, mode }: StaffSymbolsParts,
): void {
  const toRow = (symbol: StoredSymbol) => toSymbolRow(symbol, { catalogue, ticks, now: ctx.now() })

  registerList(staffCalls.staffSymbols, async ({ filters: { market_type: type, listed, search }, after, limit }) => {
    const isListed = listed === undefined ? null : listed === 'yes'
    const listedIds = catalogue.symbols.map(({ id }) => id)
    const wanted = { marketType: type ?? null, isListed, listedIds, search: search ?? null }
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
    const added = await addSymbol({ ctx, catalogue, ticks, mode }, symbol, actor)
    return added.ok ? ok({ code: added.value.code, listed_from: toIso(added.value.appliesAt) }) : added
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
}
