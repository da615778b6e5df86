import { type Result, ok, refuse } from '#core/result.ts'
import { type Actor, recordAction } from '#server/audit/record-action.ts'
import type { Ctx } from '#server/context.ts'
import type { MarketCatalogue } from '#server/markets/market-catalogue.ts'

/** Closes one symbol by hand, with a reason everyone sees, or opens it again (null). Open orders settle as ever. */
export async function closeSymbol(
  ctx: Ctx,
  catalogue: MarketCatalogue,
  { code, reason, actor }: { readonly code: string; readonly reason: string | null; readonly actor: Actor },
): Promise<Result<{ readonly code: string; readonly before: string | null }, 'symbol_unknown'>> {
  const done = await ctx.db.transaction().execute(async (tx) => {
    const symbol = await tx
      .selectFrom('market_symbol')
      .select(['id', 'code', 'closed_reason'])
      .where('code', '=', code.toUpperCase())
      .forUpdate()
      .executeTakeFirst()
    if (!symbol) return refuse('symbol_unknown')
    await tx.updateTable('market_symbol').set({ closed_reason: reason }).where('id', '=', symbol.id).execute()
    await recordAction(tx, ctx, actor, {
      target: symbol.code,
      reason: reason ?? '',
      outcome: 'done',
      before: { closed: symbol.closed_reason },
      after: { closed: reason },
    })
    return ok({ code: symbol.code, before: symbol.closed_reason })
  })
  if (!done.ok) return done
  await catalogue.reload()
  ctx.announce({ kind: 'markets-changed' })
  return done
}
