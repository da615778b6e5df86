import type { PlannedClosure } from '#core/markets/calendar/trading.ts'
import { type Result, ok, refuse } from '#core/result.ts'
import { DAY_MS, instant } from '#core/time/instant.ts'
import { type Actor, recordAction } from '#server/audit/record-action.ts'
import type { Ctx } from '#server/platform/context/context.ts'
import type { MarketCatalogue } from '#server/market-data/catalogue/market-catalogue.ts'

const MAX_CLOSURE_MS = 31 * DAY_MS
const FURTHEST_MS = 366 * DAY_MS

/**
 * Plans hours in which a market accepts no orders. From now on, no new order may expire after these hours begin. Open
 * orders settle on the same prices as always, also inside these hours.
 */
export async function planClosure(
  ctx: Ctx,
  catalogue: MarketCatalogue,
  { marketType, from, to, reason, actor }: PlannedClosure & { readonly actor: Actor },
): Promise<Result<{ readonly id: string }, 'closure_past' | 'closure_ends_first' | 'closure_too_long'>> {
  const now = ctx.now()
  if (from <= now) return refuse('closure_past')
  if (to <= from) return refuse('closure_ends_first')
  if (to - from > MAX_CLOSURE_MS || from - now > FURTHEST_MS) return refuse('closure_too_long')
  const id = ctx.newId()
  await ctx.db.transaction().execute(async (tx) => {
    await tx
      .insertInto('market_exception')
      .values({ id, market_type: marketType, from_ms: from, to_ms: to, reason, who: actor.who, created_ms: now })
      .execute()
    await recordAction(tx, ctx, actor, {
      target: marketType,
      reason,
      outcome: 'done',
      after: { closure: id, from, to },
    })
  })
  await catalogue.reload()
  ctx.publish({ kind: 'markets-changed' })
  return ok({ id })
}

/** Cancels a closure that is still to come or under way. The part that has passed stays on record. */
export async function cancelClosure(
  ctx: Ctx,
  catalogue: MarketCatalogue,
  { id, actor }: { readonly id: string; readonly actor: Actor },
): Promise<Result<null, 'not_found' | 'closure_over'>> {
  const cancelled = await ctx.db.transaction().execute(async (tx) => {
    const row = await tx.selectFrom('market_exception').selectAll().where('id', '=', id).forUpdate().executeTakeFirst()
    if (!row) return refuse('not_found')
    const now = ctx.now()
    const [from, to] = [instant(row.from_ms), instant(row.to_ms)]
    if (to <= now) return refuse('closure_over')
    // A closure that has begun ends now, because its part before now stays on record.
    if (from < now) await tx.updateTable('market_exception').set({ to_ms: now }).where('id', '=', id).execute()
    else await tx.deleteFrom('market_exception').where('id', '=', id).execute()
    await recordAction(tx, ctx, actor, {
      target: row.market_type,
      outcome: 'done',
      before: { closure: id, from, to, reason: row.reason },
      after: { closure: id, to: from < now ? now : null },
    })
    return ok(null)
  })
  if (!cancelled.ok) return cancelled
  await catalogue.reload()
  ctx.publish({ kind: 'markets-changed' })
  return cancelled
}
