import { type Result, ok, refuse } from '#core/result.ts'
import { type Actor, recordAction } from '#server/audit/record-action.ts'
import { staleWriteRefusal } from '#server/audit/stale-write.ts'
import type { Ctx } from '#server/platform/context/context.ts'
import type { MarketCatalogue } from '#server/market-data/catalogue/market-catalogue.ts'

interface Closing {
  readonly code: string
  /** The reason of the closure. Null opens the symbol again. */
  readonly reason: string | null
  /** The version that the staff member saw; without it the change is unconditional. */
  readonly seenVersion?: number
  readonly actor: Actor
}

/** Closes one symbol manually, with a reason that all users see, or opens it again (null). Open orders settle as always. */
export async function closeSymbol(
  ctx: Ctx,
  catalogue: MarketCatalogue,
  { code, reason, seenVersion, actor }: Closing,
): Promise<Result<{ readonly code: string; readonly before: string | null }, 'symbol_unknown' | 'changed_meanwhile'>> {
  const done = await ctx.db.transaction().execute(async (tx) => {
    const symbol = await tx
      .selectFrom('market_symbol')
      .select(['id', 'code', 'closed_reason', 'version'])
      .where('code', '=', code.toUpperCase())
      .forUpdate()
      .executeTakeFirst()
    if (!symbol) return refuse('symbol_unknown')
    const { id, version, closed_reason: before } = symbol
    if (seenVersion !== undefined && seenVersion !== version)
      return staleWriteRefusal(tx, { target: symbol.code, seenVersion, actor })
    const next = version + 1
    await tx.updateTable('market_symbol').set({ closed_reason: reason, version: next }).where('id', '=', id).execute()
    await recordAction(tx, ctx, actor, {
      target: symbol.code,
      reason: reason ?? '',
      outcome: 'done',
      before: { version, closed: before },
      after: { version: next, closed: reason },
    })
    return ok({ code: symbol.code, before })
  })
  if (!done.ok) return done
  await catalogue.reload()
  ctx.publish({ kind: 'markets-changed' })
  return done
}
