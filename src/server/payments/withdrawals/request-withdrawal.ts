import { BASE_CURRENCY } from '#core/ledger/transfer.ts'
import { type Money, moneyText, ZERO } from '#core/money/money.ts'
import { type Refusal, type Result, ok, refuse } from '#core/result.ts'
import type { Instant } from '#core/time/instant.ts'
import { type DetailsRefusal, type MethodDetails, readDetails } from '#core/wallet/method-details.ts'
import { quoteWithdrawal, type WithdrawalAmountRefusal, type WithdrawalTerms } from '#core/wallet/withdrawal-quote.ts'
import type { Ctx } from '#server/platform/context/context.ts'
import type { Db, Tx } from '#server/platform/database/tables.ts'
import { detailsFingerprint, payeeOf } from '#server/platform/encryption/sealed-details.ts'
import { fingerprintRequest, isSameRequest } from '#server/platform/encryption/request-fingerprint.ts'
import type { Vault } from '#server/platform/encryption/vault.ts'
import { findByRequest, wasPaidTo } from '#server/payments/withdrawals/find-withdrawals.queries.ts'
import { findSeenGateway, type Gateway } from '#server/payments/gateways/list-gateways.ts'
import { saveDetails } from '#server/payments/withdrawals/save-details.ts'
import { findDetails } from '#server/payments/withdrawals/saved-details.queries.ts'
import type { PinRefusal, Pins } from '#server/payments/withdrawals/pins.ts'
import type { SiteSettings } from '#server/settings/site-settings.ts'
import { type NowRefusal, refusalNow, refusalOfUser } from '#server/payments/withdrawals/withdrawals-open.ts'
import { holdWithdrawal, pendingWithdrawal } from '#server/payments/withdrawals/hold-withdrawal.ts'
import { isWholeOfClosed, lockCash, type Withdrawal } from '#server/payments/withdrawals/withdrawals.queries.ts'

export type WithdrawalRefusal =
  | NowRefusal
  | 'confirmation_needed'
  | 'gateway_unknown'
  | 'gateway_changed'
  | DetailsRefusal
  | WithdrawalAmountRefusal
  | PinRefusal
  | 'insufficient_balance'
  | 'withdrawal_conflict'

export interface WithdrawalRequest {
  readonly userId: string
  readonly methodId: number
  /** The version of the method that the user saw. Null when the client does not say. */
  readonly methodVersion?: number | null
  readonly amount: Money
  readonly pin: string
  /**
   * Payment details that replace the saved ones. For fields without a value, the saved details are used. A destination
   * that is neither saved nor paid before has the protection of a change of the saved details.
   */
  readonly fields: MethodDetails
  /** Whether the user confirmed the identity in this session. Only a new destination in `fields` needs this. */
  readonly isConfirmed?: boolean
  /** The id that the client gave the request. Two requests of a user with the same id never create two withdrawals. */
  readonly clientRequestId: string | null
}

/** A requested withdrawal. `isRepeated` means that an earlier call with the same request id created it. */
export interface RequestedWithdrawal extends Withdrawal {
  readonly isRepeated: boolean
}

/**
 * Requests a withdrawal. Later changes do not affect its quote and payment details. Its amount is held at once, so that
 * the user cannot spend it twice. Staff decide about the withdrawal later.
 */
export async function requestWithdrawal(
  { ctx, pins }: { readonly ctx: Ctx; readonly pins: Pins },
  request: WithdrawalRequest,
  site: Pick<SiteSettings, 'withdrawalsClosedUntil' | 'withdrawReason' | 'withdrawalPauseHours'>,
): Promise<Result<RequestedWithdrawal, WithdrawalRefusal>> {
  const { userId, clientRequestId } = request
  const earlier = clientRequestId === null ? null : await findByRequest(ctx.db, ctx.vault, userId, clientRequestId)
  if (earlier) return repeated(ctx.vault, earlier, request)
  const refused = await refusalNow(ctx, userId, site)
  if (refused !== null) return refused
  const pause = { hours: site.withdrawalPauseHours, now: ctx.now() }

  const { methodId, methodVersion = null } = request
  const seen = await findSeenGateway(ctx.db, 'withdraw', { id: methodId, version: methodVersion })
  if (!seen.ok) return seen
  const method = seen.value
  const saved = (await findDetails(ctx.db, ctx.vault, userId)).get(method.id)
  const details = readDetails(method.form, { ...saved, ...request.fields }, (label) => `fields[${label}]`)
  if (!details.ok) return details
  const terms = { ...method, minimum: await minimumFor(ctx.db, request, method) }
  const quote = quoteWithdrawal(terms, request.amount)
  if (!quote.ok) return explainAmount(quote, method)
  const isNew = await isNewDestination(ctx, request, { saved, details: details.value })
  if (isNew && request.isConfirmed !== true) return refuse('confirmation_needed')
  // The PIN is checked before the transaction, because hashing is slow. The PIN check follows the other checks that
  // need no lock, so that their refusals cost no PIN attempt.
  const pin = await pins.check(userId, request.pin)
  if (!pin.ok) return pin
  if (isNew) {
    // The change begins a pause, which `hold` then finds.
    const change = await saveDetails(ctx, { userId, methodId: method.id, details: details.value })
    if (!change.ok) return change
  }

  const frozen = { userId, method, details: details.value, quote: quote.value, at: ctx.now() }
  const withdrawal = pendingWithdrawal(ctx, frozen)
  const held = await ctx.db
    .transaction()
    .execute((tx) => hold(tx, ctx.vault, withdrawal, { ...request, pause, method }))
  if (held.ok) {
    ctx.publish({ kind: 'withdrawal-changed', userId, trx: held.value.trx })
    ctx.publish({ kind: 'balance-changed', userId })
  }
  return held
}

/**
 * Whether the fields of a request lead to a destination that is neither saved nor paid before. Otherwise a thief of a
 * session could avoid the pause after a change of the saved details.
 */
async function isNewDestination(
  ctx: Ctx,
  { userId, methodId, fields }: WithdrawalRequest,
  { saved, details }: { readonly saved: MethodDetails | undefined; readonly details: MethodDetails },
): Promise<boolean> {
  if (Object.keys(fields).length === 0) return false
  const place = (of: MethodDetails) => Buffer.from(detailsFingerprint(ctx.vault, methodId, of))
  if (saved && place(saved).equals(place(details))) return false
  return !(await wasPaidTo(ctx.db, { userId, methodId, destination: payeeOf(ctx.vault, methodId, details) }))
}

/** Holds the amount under the lock of the balance, so that concurrent requests cannot hold the same money. */
async function hold(
  tx: Tx,
  vault: Vault,
  withdrawal: Withdrawal,
  request: WithdrawalRequest & {
    readonly pause: { readonly hours: number; readonly now: Instant }
    readonly method: Gateway
  },
): Promise<
  Result<RequestedWithdrawal, 'insufficient_balance' | 'withdrawal_conflict' | WithdrawalAmountRefusal | NowRefusal>
> {
  const { userId, amount } = withdrawal
  const { clientRequestId } = request
  const cash = await lockCash(tx, userId)
  const earlier = clientRequestId === null ? null : await findByRequest(tx, vault, userId, clientRequestId)
  if (earlier) return repeated(vault, earlier, request)
  // This check is repeated, because withdrawals may have been blocked during the slow PIN check.
  const refused = await refusalOfUser(tx, userId, request.pause)
  if (refused !== null) return refused
  if (amount > cash) return refuse('insufficient_balance')
  // The minimum is checked again. If an order has ended, or the user no longer closes the account, a smaller amount is
  // no longer allowed.
  if (amount < (await minimumFor(tx, request, request.method)))
    return explainAmount(refuse('below_minimum'), request.method)
  const fingerprint = clientRequestId === null ? null : fingerprintRequest(vault, request)
  const clockAt = await holdWithdrawal(tx, vault, withdrawal, { clientRequestId, fingerprint })
  return ok({ ...withdrawal, clockAt, isRepeated: false })
}

/**
 * Returns the minimum of a method. A user who closes the account or is excluded can withdraw all cash without a
 * minimum.
 */
async function minimumFor(
  db: Db,
  { userId, amount }: Pick<WithdrawalRequest, 'userId' | 'amount'>,
  { minimum }: Pick<Gateway, 'minimum'>,
): Promise<Money> {
  return amount < minimum && (await isWholeOfClosed(db, userId, amount)) ? ZERO : minimum
}

function repeated(
  vault: Vault,
  { fingerprint, ...earlier }: Withdrawal & { readonly fingerprint: Uint8Array | null },
  request: WithdrawalRequest,
): Result<RequestedWithdrawal, 'withdrawal_conflict'> {
  return isSameRequest(vault, request, { ...earlier, fingerprint })
    ? ok({ ...earlier, isRepeated: true })
    : refuse('withdrawal_conflict')
}

function explainAmount(
  { refusal }: Refusal<WithdrawalAmountRefusal>,
  { minimum, maximum }: WithdrawalTerms,
): Refusal<WithdrawalAmountRefusal> {
  const value = moneyText(refusal === 'above_maximum' ? maximum : minimum)
  return refuse(refusal, { params: { name: 'amount', value, currency: BASE_CURRENCY } })
}
