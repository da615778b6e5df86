import { civilDayText, type CivilDay } from '#core/markets/calendar/civil-day.ts'
import { splitTakesEffectAt } from '#core/markets/splits/splits.ts'
import { type Result, ok, refuse } from '#core/result.ts'
import { DAY_MS, type Instant, later, SECOND_MS } from '#core/time/instant.ts'
import { type Actor, recordAction } from '#server/audit/record-action.ts'
import { staleWriteRefusal } from '#server/audit/stale-write.ts'
import type { Ctx } from '#server/platform/context/context.ts'
import type { MarketCatalogue } from '#server/market-data/catalogue/market-catalogue.ts'
import { hasSplits, lockSymbol, newestSplit } from '#server/market-data/catalogue/splits.queries.ts'

interface Announcement {
  readonly code: string
  /** The first New York trading day on which the shares trade after the split. */
  readonly day: CivilDay
  /** The newest version that the staff member saw; 0 when there is none or only the shipped one. */
  readonly seenVersion: number
  readonly newShares: number
  readonly oldShares: number
  /** URL of the company's announcement. */
  readonly source: string
  readonly noticeMs: number
  readonly actor: Actor
}

const MAX_NOTICE_MS = 90 * DAY_MS

/**
 * Announces a stock split to all users, with the same notice as for trade terms. Until the day of the split, a later
 * version for the same day replaces the announced one. A version of one share for one share withdraws the split. A
 * split adjusts figures that compare prices, and orders that would span it are refused. It changes no tick, no price
 * and no result.
 */
export async function announceSplit(
  ctx: Ctx,
  catalogue: MarketCatalogue,
  { code, day, seenVersion, newShares, oldShares, source, noticeMs, actor }: Announcement,
): Promise<
  Result<
    { readonly version: number; readonly effectiveAt: Instant },
    | 'not_found'
    | 'changed_meanwhile'
    | 'split_not_stock'
    | 'split_simulated'
    | 'split_no_session'
    | 'split_too_soon'
    | 'split_too_late'
  >
> {
  const announced = await ctx.db.transaction().execute(async (tx) => {
    const symbol = await lockSymbol(tx, code)
    if (!symbol) return refuse('not_found')
    if (symbol.market_type !== 'us_stocks') return refuse('split_not_stock')
    if (!hasSplits(symbol)) return refuse('split_simulated')
    const target = splitTarget(code, day)
    const newest = await newestSplit(tx, symbol.id, day)
    const newestVersion = newest?.version ?? 0
    if (newestVersion !== seenVersion) return staleWriteRefusal(tx, { target, seenVersion, actor })
    const effectiveAt = splitTakesEffectAt(day)
    if (effectiveAt === null) return refuse('split_no_session')
    const now = ctx.now()
    if (effectiveAt < later(now, noticeMs))
      return refuse('split_too_soon', { params: { seconds: noticeMs / SECOND_MS } })
    if (effectiveAt > now + MAX_NOTICE_MS) return refuse('split_too_late')
    const version = newestVersion + 1
    const ratio = { new_shares: newShares, old_shares: oldShares }
    await tx
      .insertInto('stock_split')
      .values({
        symbol_id: symbol.id,
        trading_day: day,
        version,
        ...ratio,
        effective_ms: effectiveAt,
        announced_ms: now,
        source,
        who: actor.who,
      })
      .execute()
    await recordAction(tx, ctx, actor, {
      target,
      outcome: 'done',
      before: newest && { version: newest.version, new_shares: newest.new_shares, old_shares: newest.old_shares },
      after: { version, ...ratio, effectiveAt, source },
    })
    return ok({ version, effectiveAt })
  })
  if (!announced.ok) return announced
  await catalogue.reload()
  ctx.publish({ kind: 'markets-changed' })
  return announced
}

/** The name of a split in the audit log. */
function splitTarget(code: string, day: CivilDay): string {
  return `split of ${code} on ${civilDayText(day)}`
}
