import type { z } from 'zod'
import type { staffUser, UserRow } from '#contract/back-office/users.ts'
import { type Money, moneyNumber } from '#core/money/money.ts'
import { toIso } from '#core/time/instant.ts'
import type { findUser, ListedUser } from '#server/back-office/users/users.queries.ts'
import { needsSecond } from '#server/users/measures/agree-measure.ts'
import type { AccountEnd } from '#server/users/closing/closing.queries.ts'
import type { Measure } from '#server/users/accounts/measures.queries.ts'
import { readAddress } from '#server/users/accounts/user-reply.ts'

export function toUserRow(user: ListedUser): UserRow {
  return {
    id: user.id,
    username: user.username,
    email: user.email,
    mobile: `${user.mobileCode} ${user.mobile}`.trim(),
    country_code: user.countryCode,
    verified: user.verified,
    trading: user.mayTrade,
    may_sign_in: user.maySignIn,
    is_bot: user.isBot,
    cash: moneyNumber(user.cash),
    staked: moneyNumber(user.staked),
    created_at: toIso(user.createdAt),
  }
}

/** Builds the reply for the page of one account. */
export function toUserDetails(
  user: NonNullable<Awaited<ReturnType<typeof findUser>>>,
  measures: readonly Measure[],
  closing: AccountEnd | null,
): z.output<typeof staffUser.reply> {
  return {
    ...toUserRow(user),
    version: user.version,
    firstname: user.firstName,
    lastname: user.lastName,
    address: Object.entries(readAddress(user.address))
      .filter(([, value]) => value !== '')
      .map(([label, value]) => ({ label, value })),
    language: user.language,
    invitation_code: user.invitationCode,
    has_pin: user.hasPin,
    trading_reason: user.tradeReason,
    sign_in_reason: user.signInReason,
    verification_reason: user.verificationReason,
    withdrawing: moneyNumber(user.withdrawing),
    credits: moneyNumber(user.credits),
    open_orders: user.openOrders,
    limits: {
      max_stake: numberOrNull(user.maxStake),
      max_open_stake: numberOrNull(user.maxOpenStake),
      withdrawals: user.mayWithdraw,
      withdrawals_reason: user.withdrawalsReason,
    },
    closing: closing && { state: closing.state, erases_at: toIso(closing.erasesAt) },
    measures: measures.map((measure) => ({
      id: measure.id,
      kind: measure.kind,
      reason: measure.reason,
      since: toIso(measure.since),
      until: measure.until && toIso(measure.until),
      needs_second: needsSecond(measure),
    })),
  }
}

const numberOrNull = (amount: Money | null) => (amount === null ? null : moneyNumber(amount))
