import { staffCalls } from '#contract/back-office/staff-calls.ts'
import { isReadableReason } from '#core/accounts/measures.ts'
import { type Money, moneyText } from '#core/money/money.ts'
import { type Refusal, type Result, ok, refuse } from '#core/result.ts'
import { toIso } from '#core/time/instant.ts'
import type { RegisterStaff } from '#server/back-office/api/register-staff-call.ts'
import type { RegisterStaffList } from '#server/back-office/api/register-staff-list.ts'
import type { MarketCatalogue } from '#server/market-data/catalogue/market-catalogue.ts'
import type { Edited, EditRefusal } from '#server/users/administration/edit-user.ts'
import { setLimits } from '#server/users/administration/set-limits.ts'
import { setLogInAllowed } from '#server/users/administration/set-log-in-allowed.ts'
import { setTradingAllowed } from '#server/users/administration/set-trading-allowed.ts'
import { setVerified } from '#server/users/administration/set-verified.ts'
import { agreeMeasure } from '#server/users/measures/agree-measure.ts'
import { runningMeasures } from '#server/users/accounts/measures.queries.ts'
import { findAccountEnd } from '#server/users/closing/closing.queries.ts'
import { type SendCodeParts, sendCodeByStaff } from '#server/users/verification/send-code.ts'
import { toUserDetails, toUserRow } from '#server/back-office/users/staff-user-reply.ts'
import { findUser, listUsers, userCursor } from '#server/back-office/users/users.queries.ts'

/** Registers the calls for users: search, view and set permissions. */
export function staffUsersRoutes(
  register: RegisterStaff,
  registerList: RegisterStaffList,
  parts: SendCodeParts & { readonly catalogue: MarketCatalogue; readonly mode: 'demo' | 'live' },
): void {
  const { ctx, mode } = parts
  registerList(staffCalls.staffUsers, async ({ filters, after, limit }) => {
    const { search, verified, trading, sign_in: signIn, kind } = filters
    const wanted = {
      search,
      verified: verified && verified === 'yes',
      mayTrade: trading && trading === 'on',
      maySignIn: signIn && signIn === 'allowed',
      isBot: kind && kind === 'bots',
    }
    const found = await listUsers(ctx.db, wanted, { after, limit })
    return found.map((user) => ({ row: toUserRow(user), cursor: userCursor(user) }))
  })

  register(staffCalls.staffUser, async ({ params: { id } }) => {
    const user = await findUser(ctx.db, id)
    if (user === null) return refuse('not_found')
    return ok(toUserDetails(user, await runningMeasures(ctx.db, id), await findAccountEnd(ctx.db, id)))
  })

  register(staffCalls.staffSetTradingAllowed, async ({ params: { id: userId }, body, actor }) => {
    const { version: seenVersion, on: mayTrade, reason } = body
    const refused = refuseReason(reason, { isReadByUser: !mayTrade })
    if (refused) return refused
    return toEditReply(await setTradingAllowed(ctx, { user: { userId }, seenVersion, reason, actor, mode, mayTrade }))
  })

  register(staffCalls.staffSetLogInAllowed, async ({ params: { id: userId }, body, actor }) => {
    const { version: seenVersion, allowed: maySignIn, reason } = body
    const refused = refuseReason(reason, { isReadByUser: !maySignIn })
    if (refused) return refused
    return toEditReply(await setLogInAllowed(ctx, { user: { userId }, seenVersion, reason, actor, mode, maySignIn }))
  })

  register(staffCalls.staffSetVerified, async ({ params: { id: userId }, body, actor }) => {
    const { version: seenVersion, verified, reason } = body
    if (reason === '') return verified ? refuse('reason_needed') : refuse('words_needed', { field: 'reason' })
    const done = await setVerified(ctx, { user: { userId }, seenVersion, reason, actor, verified })
    if (done.ok && !verified) await sendCodeByStaff(parts, userId)
    return toEditReply(done)
  })

  register(staffCalls.staffSetLimits, async ({ params: { id: userId }, body, actor }) => {
    const { version: seenVersion, reason, withdrawals: mayWithdraw, withdrawals_reason: withdrawalsReason } = body
    for (const field of ['max_stake', 'max_open_stake'] as const) {
      const limit = body[field]
      const smallest = smallestStake(parts.catalogue)
      if (limit !== null && smallest !== null && limit < smallest) {
        return refuse('limit_is_ban', { field, params: { amount: moneyText(smallest) } })
      }
    }
    if (!mayWithdraw && !isReadableReason(withdrawalsReason))
      return refuse('words_needed', { field: 'withdrawals_reason' })
    const isReadByUser = body.max_stake !== null || body.max_open_stake !== null
    const refused = refuseReason(reason, { isReadByUser })
    if (refused) return refused
    const limits = { maxStake: body.max_stake, maxOpenStake: body.max_open_stake, mayWithdraw, withdrawalsReason }
    return toEditReply(await setLimits(ctx, { user: { userId }, seenVersion, reason, actor, mode, limits }))
  })

  register(staffCalls.staffAgreeMeasure, async ({ params: { id: userId, measure: id }, staff: { staffId }, actor }) => {
    const agreed = await agreeMeasure(ctx, { userId, id, staffId, actor })
    return agreed.ok ? ok({ until: agreed.value.until && toIso(agreed.value.until) }) : agreed
  })
}

/** Refuses a missing reason. A reason that the user reads must also contain readable text. */
function refuseReason(
  reason: string,
  { isReadByUser }: { readonly isReadByUser: boolean },
): Refusal<'reason_needed' | 'words_needed'> | null {
  if (isReadByUser) return isReadableReason(reason) ? null : refuse('words_needed', { field: 'reason' })
  return reason === '' ? refuse('reason_needed') : null
}

/** Returns the smallest stake of all offered durations. */
function smallestStake({ settings }: MarketCatalogue): Money | null {
  return settings.reduce<Money | null>((min, { minimum }) => (min === null || minimum < min ? minimum : min), null)
}

/** Converts the result of an edit to the reply of the call. */
function toEditReply(done: Result<Edited, EditRefusal>) {
  if (done.ok) return ok({ version: done.value.nextVersion })
  const { refusal, ...details } = done
  return refusal === 'user_unknown' ? refuse('not_found') : { ...details, refusal }
}
