import { trxFrom, TRX_BYTES } from '#core/orders/trx.ts'
import { money } from '#core/money/money.ts'
import { assert, ok, refuse, type Result } from '#core/result.ts'
import { netOf, storedOf, worthOf, arrivedOf } from '#core/wallet/arrival-credit.ts'
import { contentHash } from '#server/audit/content-hash.ts'
import { lockApprovals } from '#server/audit/check-dual-approval.ts'
import { endApprovals } from '#server/audit/dual-approval.ts'
import { type Actor, recordAction } from '#server/audit/record-action.ts'
import { findAnswer, keepAnswer, type StaffRequestKey } from '#server/audit/staff-requests.ts'
import { findClosedRefusal } from '#server/ledger/closed-account.queries.ts'
import { type Arrival, changeArrival, lockArrival } from '#server/payments/deposits/arrivals.queries.ts'
import { addDepositEvent } from '#server/payments/deposits/deposit-events.queries.ts'
import { insertDeposit, PENDING } from '#server/payments/deposits/deposits.queries.ts'
import type { RateAt } from '#server/payments/deposits/gateway-rate.ts'
import { takeArrival } from '#server/payments/deposits/record-arrival.ts'
import { lockForReview, type ReviewedDeposit } from '#server/payments/deposits/review.queries.ts'
import { findStaffGateway, type StaffGateway } from '#server/payments/gateways/gateways.queries.ts'
import { findUserId } from '#server/users/accounts/users.queries.ts'
import type { Ctx } from '#server/platform/context/context.ts'
import type { Tx } from '#server/platform/database/tables.ts'

/** Who changes an arrival, and what they saw. */
export interface ArrivalChange {
  readonly id: string
  readonly actor: Actor
  readonly seenHash: string
  readonly request: StaffRequestKey
}

export type ArrivalRefusal = 'not_found' | 'content_changed' | 'request_conflict' | 'arrival_used'

interface Assigning extends ArrivalChange {
  /** The deposit that the money belongs to, or the user for whom a deposit is created. */
  readonly to: { readonly trx: string } | { readonly username: string }
}

export type AssignRefusal =
  | ArrivalRefusal
  | 'deposit_decided'
  | 'arrival_currency'
  | 'nothing_to_credit'
  | 'rate_unavailable'
  | 'account_closing'

/** Hashes the content that a decision about an arrival applies to. */
export function arrivalHash({ id, amount, currency, state, depositId, sentAt }: Arrival): string {
  return contentHash({ id, amount, currency, state, depositId, sentAt })
}

/**
 * Assigns an unassigned arrival to a deposit. For a user, creates a deposit of this amount. Makes no credit: the
 * deposit waits for its approval. Returns the reference of the deposit.
 */
export async function assignArrival(
  { ctx, rateAt }: { readonly ctx: Ctx; readonly rateAt: RateAt },
  { to, ...change }: Assigning,
): Promise<Result<string, AssignRefusal>> {
  const done = await ctx.db.transaction().execute(async (tx): Promise<Result<AssignedTo, AssignRefusal>> => {
    const locked = await lockUnassigned(tx, change)
    if (!locked.ok) return locked
    if (locked.value.answer !== null) return ok({ trx: locked.value.answer, userId: null })
    const { arrival } = locked.value
    const gateway = await findStaffGateway(tx, arrival.gatewayId)
    assert(gateway, 'gateways are never deleted')
    const own = await rateAt(tx, gateway, arrival.seenAt)
    const target =
      'trx' in to
        ? await depositOf(tx, arrival, to.trx)
        : await newDeposit(ctx, tx, { arrival, gateway, rate: own, username: to.username })
    if (!target.ok) return target
    const deposit = target.value
    const isQuoted = deposit.quotedUntil === null || arrival.seenAt <= deposit.quotedUntil
    const rate = isQuoted ? deposit.rate : own
    if (rate === null) return refuse('rate_unavailable', { params: { currency: arrival.currency } })
    const { userId, id: depositId, trx } = deposit
    await changeArrival(tx, arrival, { state: 'confirmed', userId, depositId, rate })
    await endApprovals(ctx, tx, { kind: 'deposit', subject: arrival.id })
    const assigned = { ...arrival, state: 'confirmed', userId, depositId, rate, createdAt: ctx.now() } as const
    await takeArrival(tx, deposit, { arrival: assigned, actor: change.actor, reason: '' })
    await recordAction(tx, ctx, change.actor, {
      target: trx,
      outcome: 'done',
      before: { arrival: arrival.id, state: arrival.state },
      after: { arrival: arrival.id, state: 'confirmed', amount: String(arrival.amount) },
    })
    await keepAnswer(ctx, tx, change.request, trx)
    return ok({ trx, userId })
  })
  if (!done.ok) return done
  const { trx, userId } = done.value
  if (userId !== null) ctx.publish({ kind: 'deposit-decided', userId, trx })
  return ok(trx)
}

interface AssignedTo {
  readonly trx: string
  /** Null when an earlier call assigned the arrival. */
  readonly userId: string | null
}

/** Locks an unassigned arrival. A repeated call gets the answer of the first one. */
export async function lockUnassigned(
  tx: Tx,
  { id, seenHash, request }: ArrivalChange,
): Promise<Result<{ readonly arrival: Arrival; readonly answer: string | null }, ArrivalRefusal>> {
  await lockApprovals(tx)
  const arrival = await lockArrival(tx, id)
  if (!arrival) return refuse('not_found')
  const answered = await findAnswer(tx, request)
  if (!answered.ok) return answered
  if (answered.value !== null) return ok({ arrival, answer: answered.value })
  if (arrival.state !== 'unassigned') return refuse('arrival_used')
  if (seenHash !== arrivalHash(arrival)) return refuse('content_changed')
  return ok({ arrival, answer: null })
}

async function depositOf(tx: Tx, arrival: Arrival, trx: string): Promise<Result<ReviewedDeposit, AssignRefusal>> {
  const deposit = await lockForReview(tx, trx)
  if (!deposit) return refuse('not_found')
  if (deposit.state === 'rejected') return refuse('deposit_decided')
  return deposit.currency === arrival.currency ? ok(deposit) : refuse('arrival_currency')
}

interface Making {
  readonly arrival: Arrival
  readonly gateway: StaffGateway
  readonly rate: bigint | null
  readonly username: string
}

/** Makes the deposit that the user did not ask for, with the charges of the gateway. */
async function newDeposit(
  ctx: Ctx,
  tx: Tx,
  { arrival, gateway, rate, username }: Making,
): Promise<Result<ReviewedDeposit, AssignRefusal>> {
  const userId = await findUserId(tx, username)
  if (userId === null) return refuse('not_found')
  // Breaks and limits refuse requests. They do not take money from a user that has arrived.
  if ((await findClosedRefusal(tx, userId))?.refusal === 'account_closing') return refuse('account_closing')
  if (rate === null) return refuse('rate_unavailable', { params: { currency: arrival.currency } })
  const { currency } = arrival
  const { fixedCharge, percentCharge: percentBasisPoints } = gateway
  const nothing = money(0)
  const net = netOf({ currency, amount: nothing, total: nothing, fixedCharge, percentBasisPoints }, arrival.amount)
  const [amount, total] = [storedOf(net), storedOf(arrival.amount)]
  const credited = worthOf(arrivedOf(amount), rate)
  if (amount <= 0n || credited <= 0n) return refuse('nothing_to_credit')
  const now = ctx.now()
  const trx = trxFrom(ctx.randomBytes(TRX_BYTES), now)
  const id = ctx.newId()
  const percentCharge = money(total > amount + fixedCharge ? total - amount - fixedCharge : 0n)
  await insertDeposit(tx, {
    userId,
    id,
    trx,
    currency,
    amount,
    percentCharge,
    fixedCharge,
    total,
    rate,
    credited,
    percentBasisPoints,
    gatewayId: gateway.id,
    status: PENDING,
    state: 'waiting',
    quotedUntil: arrival.seenAt,
    walletAddress: '',
    fields: {},
    files: {},
    feedback: '',
    clientRequestId: null,
    fingerprint: null,
    createdAt: now,
    decidedAt: null,
  })
  await addDepositEvent(tx, { userId, id, step: 'requested', state: 'waiting', at: now })
  const created = await lockForReview(tx, trx)
  assert(created, 'the deposit was just inserted')
  return ok(created)
}
