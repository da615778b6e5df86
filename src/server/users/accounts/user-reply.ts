import { z } from 'zod'
import type { UserOut } from '#contract/profile.ts'
import { uidOf } from '#core/accounts/uid.ts'
import { BASE_CURRENCY } from '#core/ledger/transfer.ts'
import { moneyNumber } from '#core/money/money.ts'
import { assert } from '#core/result.ts'
import { isLimit } from '#core/accounts/measures.ts'
import { type Instant, toIso } from '#core/time/instant.ts'
import type { Ctx } from '#server/platform/context/context.ts'
import { findBreak, type StoredBreak } from '#server/ledger/breaks.queries.ts'
import { toBreakReply } from '#server/users/accounts/break-reply.ts'
import { findProfile, type Profile } from '#server/users/accounts/profile.queries.ts'
import { type Measure, runningMeasures } from '#server/users/accounts/measures.queries.ts'
import { countUnread } from '#server/users/accounts/unread-notices.queries.ts'
import type { SiteSettings } from '#server/settings/site-settings.ts'

/** The URL folder of profile pictures. */
export const USER_IMAGE_PATH = '/images/users/'

/** Builds the reply with the account of a user. The account must exist, which is so for every authenticated user. */
export async function loadUserReply(
  ctx: Pick<Ctx, 'db' | 'now'>,
  userId: string,
  settings: SiteSettings,
): Promise<UserOut> {
  const profile = await findProfile(ctx.db, userId)
  assert(profile, 'a session belongs to an account with a balance')
  const limits = profile.hasLimits ? await runningMeasures(ctx.db, userId) : []
  const own = await findBreak(ctx.db, userId)
  const unread = await countUnread(ctx.db, userId)
  return toUserReply(profile, { settings, now: ctx.now(), limits, own, unread })
}

interface ReplyFacts {
  readonly settings: SiteSettings
  readonly now: Instant
  readonly limits: readonly Measure[]
  readonly own: StoredBreak | null
  readonly unread: number
}

function toUserReply(profile: Profile, { settings, now, limits, own, unread }: ReplyFacts): UserOut {
  const address = readAddress(profile.address)
  return {
    id: profile.userId,
    uid: uidOf(profile.userId),
    username: profile.username,
    email: profile.email,
    balance: moneyNumber(profile.cash),
    staked: moneyNumber(profile.staked),
    withdrawing: moneyNumber(profile.withdrawing),
    open_orders: profile.openOrders,
    unread_notices: unread,
    has_deposits: profile.hasDeposits,
    points: moneyNumber(profile.credits),
    image_path: profile.imagePath && USER_IMAGE_PATH + profile.imagePath,
    customer_link: settings.customerLink,
    withdrawal_code_enabled: profile.hasPin,
    // The account screen shows "verified" when this is true.
    profile_complete: profile.verified && profile.firstName !== '' && profile.lastName !== '',
    ev: profile.verified,
    ev_reason: profile.verificationReason,
    code_sent: profile.codeExpiresAt !== null && profile.codeExpiresAt > now,
    currency_symbol: '$',
    currency_name: BASE_CURRENCY,
    firstname: profile.firstName,
    lastname: profile.lastName,
    mobile: profile.mobile,
    mobile_code: profile.mobileCode,
    mobile_proven: profile.isMobileProven,
    country_code: profile.countryCode,
    address,
    trade_status: profile.mayTrade ? 1 : 0,
    trade_reason: profile.tradeReason,
    stake_limits: limits.flatMap(({ kind, value, reason, since }) =>
      isLimit(kind) && value !== null ? { kind, value: moneyNumber(value), reason, since: toIso(since) } : [],
    ),
    break: toBreakReply(own),
    closing: profile.erasesAt && { erases_at: toIso(profile.erasesAt) },
    leaving: profile.leaving && {
      reason: profile.leaving.reason,
      closed_at: profile.leaving.closedAt && toIso(profile.leaving.closedAt),
    },
    recovery: profile.recoveryOpensAt && { opens_at: toIso(profile.recoveryOpensAt) },
    terms_needed: profile.owesConsent,
  }
}

/** Parses the stored postal address. Missing or unreadable lines become empty. */
export function readAddress(stored: unknown): UserOut['address'] {
  return StoredAddress.parse(stored)
}

const Line = z.string().catch('')
const StoredAddress = z
  .object({ address: Line, city: Line, zip: Line, state: Line, country: Line })
  .catch({ address: '', city: '', zip: '', state: '', country: '' })
