import { depositsClosedReason } from '#server/settings/site-settings.ts'
import { areDepositsClosedLate } from '#server/payments/withdrawals/deadline.queries.ts'
import type { DepositOut } from '#contract/deposits.ts'
import type { ReceivedFile } from '#contract/files.ts'
import { hasDecimals, storedDecimals } from '#core/money/currencies.ts'
import { type Money, moneyText } from '#core/money/money.ts'
import { trxFrom, TRX_BYTES } from '#core/orders/trx.ts'
import { type Refusal, type Result, ok, refuse } from '#core/result.ts'
import { type Instant, later } from '#core/time/instant.ts'
import { type DepositAmountRefusal, quoteDeposit } from '#core/wallet/deposit-quote.ts'
import type { DetailsRefusal } from '#core/wallet/method-details.ts'
import type { MethodField } from '#core/wallet/form-definition.ts'
import { findClosedRefusal } from '#server/ledger/closed-account.queries.ts'
import { consumeAttempt } from '#server/platform/limits/attempt-limits.ts'
import type { Db } from '#server/platform/database/tables.ts'
import type { Ctx } from '#server/platform/context/context.ts'
import { toDepositReply } from '#server/payments/deposits/deposit-replies.ts'
import { addDepositEvent } from '#server/payments/deposits/deposit-events.queries.ts'
import { creditDeposit } from '#server/payments/deposits/credit-deposit.ts'
import {
  CREDITED,
  type Deposit,
  findByRequest,
  insertDeposit,
  type ListedDeposit,
  PENDING,
} from '#server/payments/deposits/deposits.queries.ts'
import type { RateOf } from '#server/payments/deposits/gateway-rate.ts'
import { type OwnDepositRefusal, ownDepositRefusal } from '#server/payments/deposits/own-deposit-limits.ts'
import { readFields } from '#server/payments/deposits/read-fields.ts'
import { findSeenGateway, type Gateway } from '#server/payments/gateways/list-gateways.ts'
import { fingerprintRequest, isSameRequest } from '#server/platform/encryption/request-fingerprint.ts'
import type { SiteCare } from '#server/settings/site-care.ts'
import { isUndecided } from '#server/users/limits/limit-prompt.queries.ts'
import { lockLimits } from '#server/users/limits/limits.queries.ts'
import type { UploadRefusal, Uploads } from '#server/platform/uploads/uploads.ts'

export type DepositRefusal =
  | 'deposits_closed'
  | 'terms_needed'
  | 'place_not_allowed'
  | OwnDepositRefusal
  | 'deposits_closed_late'
  | 'gateway_unknown'
  | 'gateway_changed'
  | DetailsRefusal
  | 'amount_decimals'
  | 'rate_unavailable'
  | 'deposit_conflict'
  | 'too_many_attempts'
  | DepositAmountRefusal
  | UploadRefusal

export interface DepositRequest {
  readonly userId: string
  /** True when a newer version of the terms of use waits for the user's consent. */
  readonly owesConsent?: boolean
  /**
   * True when the country rules refuse deposits by the user's declared country, or by the country of the request's
   * address.
   */
  readonly isPlaceRefused?: boolean
  readonly gatewayId: number
  /** The version of the gateway that the user saw. Null when the client does not say. */
  readonly gatewayVersion?: number | null
  readonly amount: Money
  /** The submitted fields, by the label of the form field. */
  readonly fields: Readonly<Record<string, string | ReceivedFile>>
  /** The id that the client gave the request. Two requests of a user with the same id never create two deposits. */
  readonly clientRequestId: string | null
}

/** A stored deposit, with the reply to its user. */
export type SavedDeposit = ListedDeposit & { readonly reply: DepositOut }

export interface DepositParts {
  readonly ctx: Ctx
  readonly uploads: Uploads
  readonly rateOf: RateOf
}

/**
 * Stores a deposit with its quote, which later changes of the gateway do not affect. An automatic gateway credits it in
 * the same transaction. Deposits of all other gateways wait for staff.
 */
export async function saveDeposit(
  { ctx, uploads, rateOf }: DepositParts,
  request: DepositRequest,
  site: Parameters<typeof depositsClosedReason>[0] & Pick<SiteCare, 'asksForLimit'>,
): Promise<Result<SavedDeposit, DepositRefusal>> {
  const { userId, clientRequestId } = request
  const earlier = clientRequestId === null ? null : await findByRequest(ctx.db, userId, clientRequestId)
  const content = { ...request, methodId: request.gatewayId }
  if (earlier) {
    const { fingerprint, ...deposit } = earlier
    const isSame = isSameRequest(ctx.vault, content, { ...deposit, methodId: deposit.gatewayId, fingerprint })
    if (!isSame) return refuse('deposit_conflict')
    return ok({ ...deposit, reply: await toDepositReply(ctx.db, deposit) })
  }
  const closed = await closedRefusal(ctx, request, site)
  if (closed !== null) return closed
  const { gatewayId, gatewayVersion = null } = request
  const seen = await findSeenGateway(ctx.db, 'deposit', { id: gatewayId, version: gatewayVersion })
  if (!seen.ok) return seen
  const gateway = seen.value
  const filledIn = readFields(gateway.form, request.fields)
  if (!filledIn.ok) return filledIn
  const decimals = storedDecimals(gateway.currency)
  if (!hasDecimals(request.amount, decimals)) {
    return refuse('amount_decimals', { params: { currency: gateway.currency, decimals } })
  }
  const rate = rateOf(gateway)
  if (rate === null) return refuse('rate_unavailable', { params: { currency: gateway.currency } })
  const quote = quoteDeposit({ ...gateway, rate }, request.amount)
  if (!quote.ok) return explainAmount(quote, gateway)
  const early = await ownRefusal(ctx.db, request, quote.value.credited)
  if (early === 'repeated') return saveDeposit({ ctx, uploads, rateOf }, request, site)
  if (early !== null) return early
  // Files are stored last, after every check that could refuse the request.
  if (Object.keys(filledIn.value.files).length > 0) {
    const wait = await consumeAttempt(ctx, { limit: 'proof_of_payment', key: userId })
    if (wait > 0) return refuse('too_many_attempts', { params: { seconds: wait } })
  }
  const files = await storeFiles(uploads, userId, { files: filledIn.value.files, form: gateway.form })
  if (!files.ok) return files

  const now = ctx.now()
  const deposit: Deposit = {
    ...quote.value,
    userId,
    id: ctx.newId(),
    trx: trxFrom(ctx.randomBytes(TRX_BYTES), now),
    gatewayId: gateway.id,
    ...startOf(gateway, now),
    currency: gateway.currency,
    walletAddress: gateway.walletAddress,
    fields: filledIn.value.texts,
    files: files.value,
    feedback: '',
    clientRequestId,
    fingerprint: clientRequestId === null ? null : fingerprintRequest(ctx.vault, content),
    createdAt: now,
  }
  const listed: ListedDeposit = { ...deposit, method: gateway.name, methodImage: gateway.image }
  const saved = await ctx.db.transaction().execute(async (tx) => {
    await lockLimits(tx, userId)
    // The own limits are checked again, because another deposit may have used up a limit in the meantime.
    const late = await ownRefusal(tx, request, deposit.credited)
    if (late !== null) return late
    if (!(await insertDeposit(tx, deposit))) return 'repeated'
    for (const name of Object.values(files.value)) await uploads.claim(tx, userId, name)
    await addDepositEvent(tx, { userId, id: deposit.id, step: 'requested', state: 'waiting', at: now })
    if (gateway.isAutomatic) await creditDeposit(ctx, tx, deposit, now)
    // Read here, because a failure after the commit would tell the user that nothing was credited.
    return ok({ ...listed, reply: await toDepositReply(tx, listed) })
  })
  if (saved === 'repeated') return saveDeposit({ ctx, uploads, rateOf }, request, site)
  if (!saved.ok) return saved
  ctx.publish({ kind: 'deposit-asked', userId, trx: deposit.trx })
  if (gateway.isAutomatic) ctx.publish({ kind: 'balance-changed', userId })
  return saved
}

/** Returns why this user can make no deposit now, whatever the request contains. */
async function closedRefusal(
  ctx: Ctx,
  { userId, owesConsent, isPlaceRefused }: DepositRequest,
  site: Parameters<typeof depositsClosedReason>[0] & Pick<SiteCare, 'asksForLimit'>,
): Promise<Refusal<DepositRefusal> | null> {
  if (owesConsent === true) return refuse('terms_needed')
  if (isPlaceRefused === true) return refuse('place_not_allowed')
  if (await areDepositsClosedLate(ctx.db, ctx.now())) return refuse('deposits_closed_late')
  const reason = depositsClosedReason(site, ctx.now())
  if (reason !== null) return refuse('deposits_closed', { params: { reason } })
  // A user on a break or with a closed account gets this refusal first, before any refusal about the form.
  const closed = await findClosedRefusal(ctx.db, userId)
  if (closed !== null) return closed
  return site.asksForLimit && (await isUndecided(ctx.db, userId)) ? refuse('limit_prompt_needed') : null
}

/** The state that a deposit begins with, and until when its quote holds. */
function startOf({ isAutomatic, quoteSeconds, percentCharge }: Gateway, now: Instant) {
  const common = { quotedUntil: later(now, quoteSeconds * 1_000), percentBasisPoints: percentCharge }
  if (isAutomatic) return { ...common, status: CREDITED, state: 'credited', decidedAt: now } as const
  return { ...common, status: PENDING, state: 'waiting', decidedAt: null } as const
}

/**
 * Returns why the user's own limits refuse the deposit, or null. Returns `repeated` when the same request was accepted
 * in the meantime, and so used up the limit itself.
 */
async function ownRefusal(
  db: Db,
  { userId, clientRequestId }: Pick<DepositRequest, 'userId' | 'clientRequestId'>,
  credited: Money,
): Promise<Refusal<OwnDepositRefusal> | 'repeated' | null> {
  const refusal = await ownDepositRefusal(db, userId, credited)
  if (refusal === null || clientRequestId === null) return refusal
  return (await findByRequest(db, userId, clientRequestId)) === null ? refusal : 'repeated'
}

/** Stores all files and returns their names by label. A refusal of a file names its form field. */
async function storeFiles(
  uploads: Uploads,
  userId: string,
  { files, form }: { readonly files: Readonly<Record<string, ReceivedFile>>; readonly form: readonly MethodField[] },
): Promise<Result<Record<string, string>, UploadRefusal>> {
  const names: [string, string][] = []
  for (const [label, file] of Object.entries(files)) {
    const picturesOnly = form.some((field) => field.label === label && field.pictures_only)
    const stored = await uploads.store({ userId, file, purpose: 'receipt', picturesOnly })
    if (!stored.ok) return { ...stored, field: `fields[${label}]` }
    names.push([label, stored.value])
  }
  return ok(Object.fromEntries(names))
}

function explainAmount(
  { refusal }: Refusal<DepositAmountRefusal>,
  { minimum, maximum, currency }: Gateway,
): Refusal<DepositAmountRefusal> {
  const value = moneyText(refusal === 'above_maximum' ? maximum : minimum)
  return refuse(refusal, { params: { name: 'amount', value, currency } })
}
