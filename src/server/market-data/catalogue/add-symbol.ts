import { productId, type MarketSymbol, type MarketType } from '#core/markets/market.ts'
import { type Mode, tickAgeLimits } from '#core/markets/terms/terms-limits.ts'
import { type Result, ok, refuse } from '#core/result.ts'
import { type Actor, recordAction } from '#server/audit/record-action.ts'
import type { Instant } from '#core/time/instant.ts'
import { announceSymbol } from '#server/market-data/catalogue/announce-symbol.ts'
import type { Ctx } from '#server/platform/context/context.ts'
import type { Tx } from '#server/platform/database/tables.ts'
import type { MarketCatalogue } from '#server/market-data/catalogue/market-catalogue.ts'
import type { TickService } from '#server/market-data/ticks.ts'

export interface NewSymbol {
  readonly code: string
  readonly name: string
  readonly marketType: MarketType
  readonly decimals: number
  readonly maxTickAgeMs: number
  readonly source: string
  readonly providerSymbol: string
  readonly isFeatured: boolean
  readonly color: string
}

interface Parts {
  readonly ctx: Ctx
  readonly catalogue: MarketCatalogue
  readonly ticks: Pick<TickService, 'source' | 'knows' | 'add'>
  readonly mode: Mode
}

type AddRefusal = 'symbol_taken' | 'source_unknown' | 'pair_code' | 'terms_bounds'

/** Lower ids are reserved for symbols shipped with the program. */
const OWN_IDS_FROM = 10_001
const PAIR = /^[A-Z]{6}$/

/**
 * Adds a symbol while the server runs. The feed subscribes to its prices immediately. Users see the symbol after the
 * notice period for trade terms.
 */
export async function addSymbol(
  { ctx, catalogue, ticks, mode }: Parts,
  symbol: NewSymbol,
  actor: Actor,
): Promise<Result<{ readonly code: string; readonly appliesAt: Instant }, AddRefusal>> {
  if (symbol.marketType === 'us_fx' && !PAIR.test(symbol.code)) return refuse('pair_code')
  if (symbol.source !== ticks.source || !ticks.knows(symbol)) {
    return refuse('source_unknown', { params: { source: ticks.source } })
  }
  const age = tickAgeLimits(mode, symbol.marketType)
  if (symbol.maxTickAgeMs < age.min || symbol.maxTickAgeMs > age.max) {
    return refuse('terms_bounds', { params: { least: age.min, most: age.max }, field: 'max_tick_age_ms' })
  }
  const added = await ctx.db.transaction().execute(async (tx) => {
    // Locks all symbols, because two concurrent requests must not both find the name free.
    await tx.selectFrom('market_symbol').select('id').orderBy('id').forUpdate().execute()
    if (await isTaken(tx, symbol)) return refuse('symbol_taken')
    const { id, sort } = await nextPlace(tx)
    await tx
      .insertInto('market_symbol')
      .values({
        id,
        code: symbol.code,
        name: symbol.name,
        market_type: symbol.marketType,
        decimals: symbol.decimals,
        is_featured: symbol.isFeatured,
        color: symbol.color,
        closed_reason: null,
        sort,
        source: symbol.source,
        provider_symbol: symbol.providerSymbol,
      })
      .execute()
    await recordAction(tx, ctx, actor, { target: symbol.code, outcome: 'done', after: { version: 1, ...symbol } })
    const { code, name, marketType, decimals, maxTickAgeMs } = symbol
    const appliesAt = await announceSymbol(ctx, tx, { code, maxTickAgeMs, mode })
    const listed: MarketSymbol = { id, code, name, marketType, decimals, maxTickAgeMs }
    return ok({ listed, appliesAt })
  })
  if (!added.ok) return added
  await ticks.add(added.value.listed)
  await catalogue.reload()
  ctx.publish({ kind: 'markets-changed' })
  return ok({ code: symbol.code, appliesAt: added.value.appliesAt })
}

/** Checks code and exchange name, so that one name never means two symbols. */
async function isTaken(tx: Tx, symbol: NewSymbol): Promise<boolean> {
  const rows = await tx.selectFrom('market_symbol').select(['code', 'market_type']).execute()
  const names = new Set(rows.flatMap(({ code, market_type: type }) => [code, type === 'crypto' ? `${code}USDT` : code]))
  return names.has(symbol.code) || names.has(productId(symbol))
}

async function nextPlace(tx: Tx): Promise<{ id: number; sort: number }> {
  const { id, sort } = await tx
    .selectFrom('market_symbol')
    .select(({ fn }) => [fn.max('id').as('id'), fn.max('sort').as('sort')])
    .executeTakeFirstOrThrow()
  return { id: Math.max(OWN_IDS_FROM, (id ?? 0) + 1), sort: (sort ?? 0) + 1 }
}
