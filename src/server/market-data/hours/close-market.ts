import type { MarketType } from '#core/markets/market.ts'
import { type Result, ok } from '#core/result.ts'
import { type Actor, recordAction } from '#server/audit/record-action.ts'
import { staleWriteRefusal } from '#server/audit/stale-write.ts'
import type { Ctx } from '#server/platform/context/context.ts'
import type { MarketCatalogue } from '#server/market-data/catalogue/market-catalogue.ts'

interface Closing {
  readonly marketType: MarketType
  /** Null returns the market to its calendar. */
  readonly reason: string | null
  /** The version that the staff member saw; without it the change is unconditional. */
  readonly seenVersion?: number
  readonly actor: Actor
}

/**
 * Closes a market type manually, with a reason that all users see, or returns it to its calendar (null). A closed
 * market accepts no new orders. Open orders settle on the same prices as always.
 */
export async function closeMarket(
  ctx: Ctx,
  catalogue: MarketCatalogue,
  { marketType, reason, seenVersion, actor }: Closing,
): Promise<Result<{ readonly before: string | null }, 'changed_meanwhile'>> {
  const done = await ctx.db.transaction().execute(async (tx) => {
    // Creates the row to lock when the market was never closed before.
    await tx
      .insertInto('market_closure')
      .values({ market_type: marketType, reason: null, since_ms: 0, version: 0 })
      .onConflict((conflict) => conflict.column('market_type').doNothing())
      .execute()
    const { reason: before, version } = await tx
      .selectFrom('market_closure')
      .select(['reason', 'version'])
      .where('market_type', '=', marketType)
      .forUpdate()
      .executeTakeFirstOrThrow()
    if (seenVersion !== undefined && seenVersion !== version)
      return staleWriteRefusal(tx, { target: marketType, seenVersion, actor })
    const next = version + 1
    await tx
      .updateTable('market_closure')
      .set({ reason, since_ms: ctx.now(), version: next })
      .where('market_type', '=', marketType)
      .execute()
    await recordAction(tx, ctx, actor, {
      target: marketType,
      reason: reason ?? '',
      outcome: 'done',
      before: { version, closed: before },
      after: { version: next, closed: reason },
    })
    return ok({ before })
  })
  if (!done.ok) return done
  await catalogue.reload()
  ctx.publish({ kind: 'markets-changed' })
  return done
}
