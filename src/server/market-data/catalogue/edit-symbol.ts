import { type Result, ok, refuse } from '#core/result.ts'
import { type Actor, recordAction } from '#server/audit/record-action.ts'
import { staleWriteRefusal } from '#server/audit/stale-write.ts'
import type { Ctx } from '#server/platform/context/context.ts'
import type { MarketCatalogue } from '#server/market-data/catalogue/market-catalogue.ts'

export interface SymbolEdit {
  readonly name: string
  readonly is_featured: boolean
  readonly color: string
  readonly sort: number
}

interface SymbolChange {
  readonly code: string
  readonly version: number
  /**
   * The decimals as the form shows them. A different number is refused, because stored prices are counted in units of
   * the last decimal.
   */
  readonly decimals: number
  readonly edit: SymbolEdit
  readonly actor: Actor
}

/** Changes how a symbol is shown. Whether it is listed, and how old its price may be, are trade terms. */
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

function editOf({ name, is_featured, color, sort }: SymbolEdit): SymbolEdit {
  return { name, is_featured, color, sort }
}
