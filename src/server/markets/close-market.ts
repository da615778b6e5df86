import type { MarketType } from '#core/markets/market.ts'
import { type Actor, recordAction } from '#server/audit/record-action.ts'
import type { Ctx } from '#server/context.ts'
import type { MarketCatalogue } from '#server/markets/market-catalogue.ts'

/**
 * Closes a kind of market by hand, with a reason everyone sees, or leaves it to its calendar again (null). It keeps new
 * orders out; open ones settle on the same prices as ever.
 */
export async function closeMarket(
  ctx: Ctx,
  catalogue: MarketCatalogue,
  {
    marketType,
    reason,
    actor,
  }: { readonly marketType: MarketType; readonly reason: string | null; readonly actor: Actor },
): Promise<{ readonly before: string | null }> {
  const before = await ctx.db.transaction().execute(async (tx) => {
    const closed = await tx
      .deleteFrom('market_closure')
      .where('market_type', '=', marketType)
      .returning('reason')
      .executeTakeFirst()
    if (reason !== null) {
      await tx
        .insertInto('market_closure')
        .values({ market_type: marketType, reason, since_ms: ctx.now() })
        .onConflict((conflict) => conflict.column('market_type').doUpdateSet({ reason, since_ms: ctx.now() }))
        .execute()
    }
    const earlier = closed?.reason ?? null
    await recordAction(tx, ctx, actor, {
      target: marketType,
      reason: reason ?? '',
      outcome: 'done',
      before: { closed: earlier },
      after: { closed: reason },
    })
    return earlier
  })
  await catalogue.reload()
  ctx.announce({ kind: 'markets-changed' })
  return { before }
}
