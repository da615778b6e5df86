import { type Result, ok, refuse } from '#core/result.ts'
import { later, MINUTE_MS, SECOND_MS } from '#core/time/instant.ts'
import { type Actor, recordAction } from '#server/audit/record-action.ts'
import { staleWriteRefusal } from '#server/audit/stale-write.ts'
import type { Ctx } from '#server/platform/context/context.ts'
import type { Tx } from '#server/platform/database/tables.ts'
import type { MarketCatalogue } from '#server/market-data/catalogue/market-catalogue.ts'

export interface SymbolEdit {
  readonly name: string
  readonly is_listed: boolean
  readonly is_featured: boolean
  readonly color: string
  readonly max_tick_age_ms: number
  readonly sort: number
}

interface SymbolChange {
  readonly code: string
  readonly version: number
  /** As shown in the form. Decimals are fixed, because stored prices are counted in them. */
  readonly decimals: number
  readonly edit: SymbolEdit
  readonly actor: Actor
}

/** Changes how a symbol is shown, whether it is listed, and the maximum price age for new orders. */
export async function editSymbol(
  ctx: Ctx,
  catalogue: MarketCatalogue,
  { code, version, decimals, edit, actor }: SymbolChange,
): Promise<Result<{ readonly version: number }, 'not_found' | 'changed_meanwhile' | 'decimals_fixed'>> {
  const saved = await ctx.db.transaction().execute(async (tx) => {
    const stored = await tx
      .selectFrom('market_symbol')
      .selectAll()
      .where('code', '=', code.toUpperCase())
      .forUpdate()
      .executeTakeFirst()
    if (!stored) return refuse('not_found')
    if (stored.version !== version) return staleWriteRefusal(tx, { target: stored.code, seenVersion: version, actor })
    if (stored.decimals !== decimals) return refuse('decimals_fixed', { params: { decimals: stored.decimals } })
    const next = version + 1
    if (stored.max_tick_age_ms !== edit.max_tick_age_ms) await keepAgeOfOpenOrders(tx, ctx, stored)
    await tx
      .updateTable('market_symbol')
      .set({ ...edit, version: next })
      .where('id', '=', stored.id)
      .execute()
    await recordAction(tx, ctx, actor, {
      target: stored.code,
      outcome: 'done',
      before: { version, ...editOf(stored) },
      after: { version: next, ...edit },
    })
    return ok({ version: next })
  })
  if (!saved.ok) return saved
  await catalogue.reload()
  ctx.publish({ kind: 'markets-changed' })
  return saved
}

function editOf({ name, is_listed, is_featured, color, max_tick_age_ms, sort }: SymbolEdit): SymbolEdit {
  return { name, is_listed, is_featured, color, max_tick_age_ms, sort }
}

/** Orders that may be open now settle with the maximum price age that was in force when they were opened. */
async function keepAgeOfOpenOrders(
  tx: Tx,
  ctx: Ctx,
  symbol: { readonly id: number; readonly max_tick_age_ms: number },
): Promise<void> {
  const { longest } = await tx
    .selectFrom('trade_setting')
    .select(({ fn }) => fn.max('seconds').as('longest'))
    .executeTakeFirstOrThrow()
  const { last } = await tx
    .selectFrom('open_order')
    .select(({ fn }) => fn.max('expires_ms').as('last'))
    .where('symbol_id', '=', symbol.id)
    .executeTakeFirstOrThrow()
  // Another server may use its old copy for a moment longer.
  const until = Math.max(later(ctx.now(), (longest ?? 0) * SECOND_MS + MINUTE_MS), Number(last ?? 0))
  await tx
    .insertInto('tick_age_before')
    .values({ symbol_id: symbol.id, until_ms: until, max_tick_age_ms: symbol.max_tick_age_ms })
    .onConflict((conflict) => conflict.columns(['symbol_id', 'until_ms']).doNothing())
    .execute()
}
