import { type Money, ZERO } from '#core/money/money.ts'
import { type Refusal, type Result, ok, refuse } from '#core/result.ts'
import { type Instant, minuteText } from '#core/time/instant.ts'
import { type LeaveQuote, quoteLeave } from '#core/wallet/leave.ts'
import type { ConfirmedBy } from '#core/wallet/withdrawal-checks.ts'
import { type DetailsRefusal, type MethodDetails, readDetails } from '#core/wallet/method-details.ts'
import { findGateway, type Gateway } from '#server/payments/gateways/list-gateways.ts'
import { remainingPrincipalOf } from '#server/payments/withdrawals/deadline.queries.ts'
import { canOnlyLeave, findCash, findLeave, insertLeave } from '#server/payments/withdrawals/leave.queries.ts'
import { holdWithdrawal, pendingWithdrawal } from '#server/payments/withdrawals/hold-withdrawal.ts'
import { type LeaveCodes, type LeaveCodeRefusal } from '#server/payments/withdrawals/leave-code.ts'
import type { PinRefusal, Pins } from '#server/payments/withdrawals/pins.ts'
import { lockCash } from '#server/payments/withdrawals/withdrawals.queries.ts'
import { type NowRefusal, refusalOfPause, refusalOfSite } from '#server/payments/withdrawals/withdrawals-open.ts'
import type { Ctx } from '#server/platform/context/context.ts'
import type { Db, Tx } from '#server/platform/database/tables.ts'
import type { SiteSettings } from '#server/settings/site-settings.ts'
import { findProvenContact } from '#server/users/accounts/one-time-codes.queries.ts'
import { findPinHash } from '#server/users/accounts/pins.queries.ts'

export type LeaveRefusal =
  | NowRefusal
  | DetailsRefusal
  | PinRefusal
  | LeaveCodeRefusal
  | 'gateway_unknown'
  | 'amount_invalid'
  | 'leave_blocked_only'
  | 'leave_refused'
  | 'leave_nothing'

export interface LeaveRequest {
  readonly userId: string
  readonly methodId: number
  /** Must be given when the account has a PIN. */
  readonly pin: string
  /**
   * The code that was sent to the verified contact. Must be given when the account has no PIN, because a blocked user
   * cannot set one.
   */
  readonly code: string
  readonly fields: MethodDetails
}

/**
 * Requests the withdrawal of all available cash for a user whom staff have blocked. When open orders end, a job
 * requests the withdrawal of their money to the same destination. When no money is left, the job closes the account.
 */
export async function requestLeave(
  parts: { readonly ctx: Ctx; readonly pins: Pins; readonly codes: Pick<LeaveCodes, 'use'> },
  request: LeaveRequest,
  site: Pick<SiteSettings, 'withdrawalsClosedUntil' | 'withdrawReason' | 'withdrawalPauseHours'>,
): Promise<Result<null, LeaveRefusal>> {
  const { ctx } = parts
  const { userId, methodId, fields } = request
  const pause = { hours: site.withdrawalPauseHours, now: ctx.now() }
  // A leave is possible even when staff have closed withdrawals for this user, because only two approvers can refuse a
  // leave.
  const refused = refusalOfSite(site, pause.now) ?? (await refusalOfPause(ctx.db, userId, pause))
  if (refused !== null) return refused
  const method = await findGateway(ctx.db, 'withdraw', methodId)
  if (!method) return refuse('gateway_unknown')
  const details = readDetails(method.form, fields, (label) => `fields[${label}]`)
  if (!details.ok) return details
  // This check runs before the check of the code, so that a refused request does not use the code up.
  const notNow = await refusalOfLeave(ctx.db, { userId, now: pause.now, cash: await findCash(ctx.db, userId) })
  if (notNow !== null) return notNow
  const confirmed = await confirmLeave(parts, request)
  if (!confirmed.ok) return confirmed
  const confirmedBy = confirmed.value
  const done = await ctx.db.transaction().execute(async (tx): Promise<Result<null, LeaveRefusal>> => {
    const cash = await lockCash(tx, userId)
    const stillRefused = await refusalOfPause(tx, userId, pause)
    if (stillRefused !== null) return stillRefused
    const now = ctx.now()
    const notLonger = await refusalOfLeave(tx, { userId, now, cash })
    if (notLonger !== null) return notLonger
    const last = await findLeave(tx, userId)
    const isOpen = last?.state === 'open'
    const id = isOpen ? last.id : ctx.newId()
    const quoted = await quoteCash(tx, { userId, method, cash })
    if (!quoted.ok) return quoted
    if (!isOpen) await insertLeave(tx, { userId, id, at: now })
    const quotes = quoted.value
    await holdCash(ctx, tx, { userId, leaveId: id, method, details: details.value, confirmedBy, quotes })
    return ok(null)
  })
  if (done.ok) ctx.publish({ kind: 'balance-changed', userId })
  return done
}

/**
 * Returns why the user cannot request the withdrawal of the whole balance now. Null when the user can. Only blocked
 * users can request such a withdrawal.
 */
async function refusalOfLeave(
  db: Db | Tx,
  { userId, now, cash }: { readonly userId: string; readonly now: Instant; readonly cash: Money },
): Promise<Refusal<'leave_blocked_only' | 'leave_refused' | 'leave_nothing'> | null> {
  if (!(await canOnlyLeave(db, userId))) return refuse('leave_blocked_only')
  const againAt = (await findLeave(db, userId))?.againAt ?? now
  if (againAt > now) return refuse('leave_refused', { params: { time: minuteText(againAt) } })
  return cash === ZERO ? refuse('leave_nothing') : null
}

/**
 * Checks the PIN or, when the account has no PIN, a code sent to the verified contact. Without both, returns `none`, so
 * that the approval needs two staff members.
 */
async function confirmLeave(
  { ctx, pins, codes }: { readonly ctx: Ctx; readonly pins: Pins; readonly codes: Pick<LeaveCodes, 'use'> },
  { userId, pin, code }: LeaveRequest,
): Promise<Result<ConfirmedBy, PinRefusal | LeaveCodeRefusal>> {
  if ((await findPinHash(ctx.db, userId)) !== null) {
    const checked = await pins.check(userId, pin)
    return checked.ok ? ok('pin') : checked
  }
  if ((await findProvenContact(ctx.db, userId)) === null) return ok('none')
  const used = await codes.use(userId, code)
  return used.ok ? ok('code') : used
}

/** Quotes the withdrawal of all cash, in one or two parts. Refuses when the charge would use up the cash. */
export async function quoteCash(
  tx: Tx,
  { userId, method, cash }: { readonly userId: string; readonly method: Gateway; readonly cash: Money },
): Promise<Result<LeaveQuote[], 'amount_invalid'>> {
  const quotes = quoteLeave(method, cash, await remainingPrincipalOf(tx, userId))
  return quotes.ok ? quotes : refuse('amount_invalid', { field: 'method_id' })
}

interface Payment {
  readonly userId: string
  readonly leaveId: string
  readonly method: Pick<Gateway, 'id' | 'name' | 'image' | 'currency'>
  readonly details: MethodDetails
  readonly confirmedBy: ConfirmedBy | null
  readonly quotes: readonly LeaveQuote[]
}

/** Holds the quoted amounts in withdrawals of a leave. The caller must hold the lock of the balance. */
export async function holdCash(
  ctx: Ctx,
  tx: Tx,
  { userId, leaveId, method, details, confirmedBy, quotes }: Payment,
): Promise<void> {
  const at = ctx.now()
  for (const { isAbovePrincipal, ...quote } of quotes) {
    const leave = { leaveId, isAbovePrincipal, confirmedBy }
    await holdWithdrawal(tx, ctx.vault, pendingWithdrawal(ctx, { userId, method, details, quote, at, leave }))
  }
}
