import { type Refusal, refuse } from '#core/result.ts'
import { type Instant, minuteText } from '#core/time/instant.ts'
import type { Ctx } from '#server/platform/context/context.ts'
import type { Db, Tx } from '#server/platform/database/tables.ts'
import { areWithdrawalsClosed, type SiteSettings } from '#server/settings/site-settings.ts'
import { withdrawalBlockReason } from '#server/users/accounts/withdrawals-blocked.ts'
import { withdrawalsWaitUntil } from '#server/users/security/security-change.queries.ts'

export type NowRefusal = 'withdrawals_closed' | 'withdrawals_paused'

type Site = Pick<SiteSettings, 'withdrawalsClosedUntil' | 'withdrawReason' | 'withdrawalPauseHours'>
interface Pause {
  readonly hours: number
  readonly now: Instant
}

/**
 * Returns why a user cannot withdraw now, or null: the site or staff closed withdrawals, or a recent change of security
 * causes a pause.
 */
export async function refusalNow(ctx: Ctx, userId: string, site: Site): Promise<Refusal<NowRefusal> | null> {
  return (
    refusalOfSite(site, ctx.now()) ??
    (await refusalOfUser(ctx.db, userId, { hours: site.withdrawalPauseHours, now: ctx.now() }))
  )
}

/** Returns why no user of the site can withdraw now, or null. This is the first part of `refusalNow`. */
export function refusalOfSite(site: Site, now: Instant): Refusal<NowRefusal> | null {
  if (!areWithdrawalsClosed(site, now)) return null
  return refuse('withdrawals_closed', { params: { reason: site.withdrawReason } })
}

/**
 * Returns why this user cannot withdraw now, or null. This is the second part of `refusalNow`. The request calls it
 * again under a lock, because the answer may change during the PIN check.
 */
export async function refusalOfUser(db: Db | Tx, userId: string, pause: Pause): Promise<Refusal<NowRefusal> | null> {
  const reason = await withdrawalBlockReason(db, userId)
  if (reason !== null) return refuse('withdrawals_closed', { params: { reason } })
  return refusalOfPause(db, userId, pause)
}

/**
 * Returns a refusal when a recent change of security pauses the user's withdrawals, or null. For the leave of a blocked
 * user, this is the only check of the user.
 */
export async function refusalOfPause(db: Db | Tx, userId: string, pause: Pause): Promise<Refusal<NowRefusal> | null> {
  const pausedUntil = await withdrawalsWaitUntil(db, userId, pause)
  return pausedUntil === null ? null : refuse('withdrawals_paused', { params: { time: minuteText(pausedUntil) } })
}
