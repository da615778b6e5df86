import { type Instant, DAY_MS, instant, later, MINUTE_MS } from '#core/time/instant.ts'
import { assert, ok, refuse, type Result } from '#core/result.ts'
import { differsMuch, parseArrived } from '#core/wallet/arrival-credit.ts'
import type { DepositState } from '#core/wallet/deposit-state.ts'
import { readReference, type ReferenceRefusal } from '#core/wallet/payment-reference.ts'
import { lockApprovals } from '#server/audit/check-dual-approval.ts'
import { type Actor, recordAction } from '#server/audit/record-action.ts'
import { findAnswer, keepAnswer, type StaffRequestKey } from '#server/audit/staff-requests.ts'
import { arrivedFor } from '#server/payments/deposits/arrived.ts'
import {
  type Arrival,
  findArrival,
  findBySource,
  insertArrival,
  type NewArrival,
} from '#server/payments/deposits/arrivals.queries.ts'
import { addDepositEvent } from '#server/payments/deposits/deposit-events.queries.ts'
import { depositHash } from '#server/payments/deposits/deposit-hash.ts'
import { CREDITED, PENDING } from '#server/payments/deposits/deposits.queries.ts'
import type { RateAt } from '#server/payments/deposits/gateway-rate.ts'
import { lockForReview, markDecided, type ReviewedDeposit } from '#server/payments/deposits/review.queries.ts'
import { findStaffGateway } from '#server/payments/gateways/gateways.queries.ts'
import type { Ctx } from '#server/platform/context/context.ts'
import type { Tx } from '#server/platform/database/tables.ts'

/** 5 min: the clock of a bank can differ from the server's clock by this much. */
const CLOCK_TOLERANCE_MS = 5 * MINUTE_MS
/** 7 days: users sometimes pay before they ask for the deposit. */
const EARLIEST_MS = 7 * DAY_MS

interface Recording {
  readonly trx: string
  /** The amount in the gateway's currency, as staff typed it. */
  readonly amount: string
  /** When the payment was seen at the bank or network. */
  readonly seenAt: Instant
  readonly reference: string
  /** Why a payment is recorded inside a quote that is over. */
  readonly reason?: string
  readonly actor: Actor
  readonly seenHash?: string | undefined
  /** The id of the request, which makes a repeated call harmless. Absent at the command line. */
  readonly request?: StaffRequestKey | undefined
}

export type RecordRefusal =
  | 'deposit_unknown'
  | 'deposit_decided'
  | 'content_changed'
  | 'request_conflict'
  | 'amount_invalid'
  | 'seen_at_invalid'
  | 'reason_needed'
  | 'reference_used'
  | 'rate_unavailable'
  | ReferenceRefusal

/** The deposit after an arrival was recorded, and the arrival. */
export interface Recorded {
  readonly deposit: ReviewedDeposit
  readonly arrival: Arrival
}

/**
 * Records a payment that staff saw for a deposit. Only an approval credits it. A payment that was seen before the quote
 * ended has the quoted rate. A later payment has the rate of its own time.
 */
export async function recordArrival(
  { ctx, rateAt }: { readonly ctx: Ctx; readonly rateAt: RateAt },
  recording: Recording,
): Promise<Result<Recorded, RecordRefusal>> {
  const { trx, actor, request } = recording
  const done = await ctx.db.transaction().execute(async (tx): Promise<Result<Recorded, RecordRefusal>> => {
    await lockApprovals(tx)
    const deposit = await lockForReview(tx, trx)
    if (!deposit) return refuse('deposit_unknown')
    const answered = request === undefined ? ok(null) : await findAnswer(tx, request)
    if (!answered.ok) return answered
    if (answered.value !== null) return repeated(ctx, tx, deposit, { arrivalId: answered.value, actor })
    const { state } = deposit
    if (state === 'rejected') return refuse('deposit_decided', { params: { status: deposit.status } })
    if (recording.seenHash !== undefined && recording.seenHash !== depositHash(deposit))
      return refuse('content_changed')
    const checked = await check(ctx, tx, { rateAt, deposit, recording })
    if (!checked.ok) return checked
    const arrival = checked.value
    if (!(await insertArrival(tx, arrival))) return refuse('reference_used', { params: { trx: '' } })
    const changed = await takeArrival(tx, deposit, { arrival, actor, reason: recording.reason ?? '' })
    await recordAction(tx, ctx, actor, {
      target: trx,
      reason: recording.reason ?? '',
      outcome: 'done',
      before: { state },
      after: {
        state: changed.state,
        arrival: arrival.id,
        amount: String(arrival.amount),
        reference: arrival.reference,
      },
    })
    if (request) await keepAnswer(ctx, tx, request, arrival.id)
    return ok({ deposit: changed, arrival: { ...arrival, sentAt: null, sentReference: null } })
  })
  // The user's open pages load the deposit again.
  if (done.ok) ctx.publish({ kind: 'deposit-decided', userId: done.value.deposit.userId, trx })
  return done
}

/** Answers a repeated call as the first call was answered. */
async function repeated(
  ctx: Ctx,
  tx: Tx,
  deposit: ReviewedDeposit,
  { arrivalId, actor }: { readonly arrivalId: string; readonly actor: Actor },
): Promise<Result<Recorded, never>> {
  const arrival = await findArrival(tx, arrivalId)
  assert(arrival, 'the arrival of an earlier call stays')
  await recordAction(tx, ctx, actor, { target: deposit.trx, outcome: 'looked', reason: 'repeated' })
  return ok({ deposit, arrival })
}

interface Checking {
  readonly rateAt: RateAt
  readonly deposit: ReviewedDeposit
  readonly recording: Recording
}

async function check(
  ctx: Ctx,
  tx: Tx,
  { rateAt, deposit, recording }: Checking,
): Promise<Result<NewArrival, RecordRefusal>> {
  const { userId, id: depositId, currency, gatewayId, createdAt } = deposit
  const { seenAt, reason = '' } = recording
  const now = ctx.now()
  const amount = parseArrived(recording.amount, currency)
  if (amount === null) return refuse('amount_invalid', { field: 'amount' })
  if (seenAt > later(now, CLOCK_TOLERANCE_MS) || seenAt < later(createdAt, -EARLIEST_MS)) {
    return refuse('seen_at_invalid', { field: 'seen_at' })
  }
  const reference = readReference(null, recording.reference)
  if (!reference.ok) return { ...reference, field: 'reference' }
  const name = { source: 'staff', externalId: `${gatewayId} ${reference.value}` } as const
  const other = await findBySource(tx, name)
  if (other !== null)
    return refuse('reference_used', { params: { trx: await referenceOf(tx, other) }, field: 'reference' })
  const rated = await rateFor(ctx, tx, { rateAt, deposit, seenAt })
  if (rated === null) return refuse('rate_unavailable', { params: { currency } })
  if (rated.isPast && reason === '') return refuse('reason_needed', { field: 'reason' })
  return ok({
    id: ctx.newId(),
    userId,
    depositId,
    gatewayId,
    currency,
    amount,
    ...name,
    seenAt,
    reference: reference.value,
    rate: rated.rate,
    takesTwo: rated.takesTwo,
    state: 'confirmed',
    confirmedAt: now,
    createdAt: now,
    credited: null,
    charge: null,
    creditedAt: null,
  })
}

interface Rated {
  readonly rate: bigint
  /** Whether the recorded time lies within the quote, although the quote has ended by now. */
  readonly isPast: boolean
  readonly takesTwo: boolean
}

/**
 * Finds the rate of a payment by the time at which staff saw it. After the end of the quote, this time decides between
 * two rates. So a second approver is needed when the rates differ much, or when the present rate is unknown.
 */
async function rateFor(
  ctx: Ctx,
  tx: Tx,
  { rateAt, deposit, seenAt }: { readonly rateAt: RateAt; readonly deposit: ReviewedDeposit; readonly seenAt: Instant },
): Promise<Rated | null> {
  const { quotedUntil, rate, gatewayId } = deposit
  const now = ctx.now()
  if (quotedUntil === null || (seenAt <= quotedUntil && now <= quotedUntil))
    return { rate, isPast: false, takesTwo: false }
  const gateway = await findStaffGateway(tx, gatewayId)
  assert(gateway, 'gateways are never deleted')
  // A time that the clock of the bank puts into the future is now.
  const own = await rateAt(tx, gateway, instant(Math.min(seenAt > quotedUntil ? seenAt : now, now)))
  if (seenAt <= quotedUntil) return { rate, isPast: true, takesTwo: own === null || differsMuch(rate, own) }
  return own === null ? null : { rate: own, isPast: false, takesTwo: false }
}

async function referenceOf(tx: Tx, { userId, depositId, id }: Arrival): Promise<string> {
  if (userId === null || depositId === null) return id
  const row = await tx
    .selectFrom('deposit')
    .select('trx')
    .where('user_id', '=', userId)
    .where('id', '=', depositId)
    .executeTakeFirst()
  return row?.trx ?? id
}

interface Taking {
  readonly arrival: NewArrival
  /** Absent when a provider reported the arrival. */
  readonly actor?: Actor
  readonly reason: string
}

/** Moves a deposit on after an arrival was stored for it, and adds the step. The caller holds the lock of the deposit. */
export async function takeArrival(
  tx: Tx,
  deposit: ReviewedDeposit,
  { arrival, actor, reason }: Taking,
): Promise<ReviewedDeposit> {
  const arrivals = [...deposit.arrivals, { ...arrival, sentAt: null, sentReference: null }].toSorted(bySight)
  const { due, credits } = arrivedFor({ ...deposit, arrivals })
  // A deposit that was credited before stays credited. Only its new arrivals wait for an approval.
  const isOpen = deposit.status !== CREDITED
  const state: DepositState = due.length > 0 && credits === 0n ? 'review' : 'seen'
  const next: ReviewedDeposit = isOpen
    ? { ...deposit, arrivals, state, status: PENDING, feedback: '', decidedAt: null }
    : { ...deposit, arrivals }
  if (isOpen && state !== deposit.state) await markDecided(tx, deposit, next)
  const { userId, id } = deposit
  const data = { arrival: arrival.id, amount: String(arrival.amount), ...(reason !== '' && { reason }) }
  await addDepositEvent(tx, { userId, id, step: 'arrived', state: next.state, at: arrival.createdAt, actor, data })
  return next
}

function bySight(one: Arrival, other: Arrival): number {
  return one.seenAt - other.seenAt || (one.id < other.id ? -1 : 1)
}
