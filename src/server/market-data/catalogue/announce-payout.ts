import type { BasisPoints } from '#core/money/money.ts'
import { type Result, ok, refuse } from '#core/result.ts'
import { DAY_MS, later, SECOND_MS, type Instant } from '#core/time/instant.ts'
import { type Actor, recordAction } from '#server/audit/record-action.ts'
import { staleWriteRefusal } from '#server/audit/stale-write.ts'
import type { Ctx } from '#server/platform/context/context.ts'
import type { MarketCatalogue } from '#server/market-data/catalogue/market-catalogue.ts'
import { lockTerms, newestPayoutVersion, payoutTarget } from '#server/market-data/catalogue/trade-terms.queries.ts'

interface Announcement {
  readonly settingId: number
  /** The newest version that the staff member saw. */
  readonly seenVersion: number
  readonly payout: BasisPoints
  /** Null means as soon as the notice period allows. */
  readonly appliesAt: Instant | null
  readonly noticeSeconds: number
  readonly actor: Actor
}

const MAX_NOTICE_MS = 90 * DAY_MS

/**
 * Announces a payout for new orders of all users from a moment on. Announced rows are never changed. An order keeps the payout it was
 * opened with, whatever is announced later.
 */
export async function announcePayout(
  ctx: Ctx,
  catalogue: MarketCatalogue,
  { settingId, seenVersion, payout, appliesAt, noticeSeconds, actor }: Announcement,
): Promise<
  Result<
    { readonly version: number; readonly appliesFrom: Instant },
    'not_found' | 'changed_meanwhile' | 'payout_too_soon' | 'payout_too_late'
  >
> {
  const announced = await ctx.db.transaction().execute(async (tx) => {
    const terms = await lockTerms(tx, settingId)
    if (!terms) return refuse('not_found')
    const newest = await newestPayoutVersion(tx, settingId)
    if (newest !== seenVersion) return staleWriteRefusal(tx, { target: payoutTarget(settingId), seenVersion, actor })
    const now = ctx.now()
    const soonest = later(now, noticeSeconds * SECOND_MS)
    const appliesFrom = appliesAt ?? soonest
    if (appliesFrom < soonest) return refuse('payout_too_soon', { params: { seconds: noticeSeconds } })
    if (appliesFrom > now + MAX_NOTICE_MS) return refuse('payout_too_late')
    const version = newest + 1
    await tx
      .insertInto('payout_version')
      .values({
        trade_setting_id: settingId,
        version,
        profit_basis_points: payout,
        applies_from_ms: appliesFrom,
        announced_ms: now,
        who: actor.who,
      })
      .execute()
    await recordAction(tx, ctx, actor, {
      target: payoutTarget(settingId),
      outcome: 'done',
      before: { version: newest },
      after: { version, payout, appliesFrom },
    })
    return ok({ version, appliesFrom })
  })
  if (!announced.ok) return announced
  await catalogue.reload()
  ctx.publish({ kind: 'markets-changed' })
  return announced
}
