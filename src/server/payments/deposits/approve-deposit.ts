import { money, type Money } from '#core/money/money.ts'
import { assert, ok, refuse, type Result } from '#core/result.ts'
import { type Instant, later } from '#core/time/instant.ts'
import {
  type ApprovalLimits,
  checkDualApproval,
  checkTwoPeople,
  lockApprovals,
} from '#server/audit/check-dual-approval.ts'
import { type Actor, recordAction } from '#server/audit/record-action.ts'
import { postTransfers } from '#server/ledger/post-transfers.ts'
import { type DueArrival, arrivedFor } from '#server/payments/deposits/arrived.ts'
import { changeArrival } from '#server/payments/deposits/arrivals.queries.ts'
import { arrivalTransfers } from '#server/payments/deposits/credit-deposit.ts'
import type { Decided, DecideRefusal } from '#server/payments/deposits/reject-deposit.ts'
import { addDepositEvent } from '#server/payments/deposits/deposit-events.queries.ts'
import { depositHash } from '#server/payments/deposits/deposit-hash.ts'
import { CREDITED, PENDING } from '#server/payments/deposits/deposits.queries.ts'
import { lockForReview, markDecided, type ReviewedDeposit } from '#server/payments/deposits/review.queries.ts'
import type { Ctx } from '#server/platform/context/context.ts'
import type { Tx } from '#server/platform/database/tables.ts'

interface Approval {
  readonly trx: string
  readonly remark?: string | undefined
  readonly actor: Actor
  readonly seenHash?: string
  readonly limits: ApprovalLimits
}

export type ApproveRefusal = DecideRefusal | 'arrival_missing' | 'nothing_to_credit'

/** A decided deposit with the sum that this approval credited. */
type Approved = Decided & { readonly creditedNow: Money }

/**
 * Credits everything that arrived for a deposit and is not credited yet, each arrival once. The approver cannot choose
 * another amount. Above the limit, the first approval is only recorded, and the second approval credits.
 */
export async function approveDeposit(
  ctx: Ctx,
  { trx, remark = '', actor, seenHash, limits }: Approval,
): Promise<Result<Approved, ApproveRefusal>> {
  const done = await ctx.db.transaction().execute(async (tx): Promise<Result<Approved, ApproveRefusal>> => {
    await lockApprovals(tx)
    const deposit = await lockForReview(tx, trx)
    if (!deposit) return refuse('deposit_unknown')
    const { due, credits: amount } = arrivedFor(deposit)
    if (deposit.status !== PENDING && due.length === 0) {
      return refuse('deposit_decided', { params: { status: deposit.status } })
    }
    const hash = depositHash(deposit)
    if (seenHash !== undefined && seenHash !== hash) return refuse('content_changed')
    if (due.length === 0) return refuse('arrival_missing')
    if (amount === 0n) return refuse('nothing_to_credit')
    const content = { kind: 'deposit', subject: trx, contentHash: hash, actor, userId: deposit.userId, amount } as const
    const admitted = due.some(({ takesTwo }) => takesTwo)
      ? await checkTwoPeople(tx, ctx, { ...content, mode: limits.mode })
      : await checkDualApproval(tx, ctx, { ...content, limits })
    if (admitted === 'first') {
      await addDepositEvent(tx, { ...deposit, step: 'first_approval', at: ctx.now(), actor })
      return ok({ ...deposit, isDecided: false, creditedNow: money(0) })
    }
    if (admitted !== 'decide') return admitted
    return ok(await credit(ctx, tx, deposit, { due, remark, actor }))
  })
  if (done.ok && done.value.isDecided) {
    ctx.publish({ kind: 'deposit-decided', userId: done.value.userId, trx })
    ctx.publish({ kind: 'balance-changed', userId: done.value.userId })
  }
  return done
}

interface Credit {
  readonly due: readonly DueArrival[]
  readonly remark: string
  /** Absent when a provider confirmed the arrivals. */
  readonly actor?: Actor
}

/** Credits these arrivals. The caller holds the lock of the deposit, and has checked that it may be credited. */
export async function credit(
  ctx: Ctx,
  tx: Tx,
  deposit: ReviewedDeposit,
  { due, remark, actor }: Credit,
): Promise<Approved> {
  const { userId, id, trx, status } = deposit
  // The receipt of the first credit says what arrived by then, so a later credit has a later time.
  const now = later(ctx.now(), status === CREDITED && ctx.now() === deposit.decidedAt ? 1 : 0)
  const creditedNow = money(due.reduce((sum, { credited }) => sum + credited, 0n))
  // Until its first credit, the column has the credit that was quoted.
  const credited = money((status === CREDITED ? deposit.credited : 0n) + creditedNow)
  const after = decidedBy(deposit, { remark, now })
  // The deposit changes first, because the notice about an arrival quotes the message of the deposit.
  await markDecided(tx, deposit, { ...after, status: CREDITED, state: 'credited', credited })
  for (const arrival of due) {
    const { credited: own, charge } = arrival
    await changeArrival(tx, arrival, { state: 'credited', credited: own, charge, creditedAt: now })
    const moves = arrivalTransfers({ userId, id: arrival.id, credited: own, charge })
    assert(moves.length > 0, 'every arrival is worth something')
    await postTransfers(tx, moves, now)
  }
  const event = { userId, id, step: 'credited', state: 'credited', at: now, actor, words: remark } as const
  await addDepositEvent(tx, { ...event, data: { credited: String(creditedNow) } })
  if (actor) {
    await recordAction(tx, ctx, actor, {
      target: trx,
      reason: remark,
      outcome: 'done',
      before: { status, state: deposit.state },
      after: {
        status: CREDITED,
        state: 'credited',
        arrivals: due.map((one) => ({ id: one.id, amount: String(one.amount), credited: String(one.credited) })),
      },
    })
  }
  const arrivals = deposit.arrivals.map((one) => {
    const paid = due.find((other) => other.id === one.id)
    return paid
      ? { ...one, state: 'credited' as const, credited: paid.credited, charge: paid.charge, creditedAt: now }
      : one
  })
  return { ...deposit, ...after, arrivals, status: CREDITED, state: 'credited', credited, creditedNow, isDecided: true }
}

/** The message and the time of a decision. A deposit that is credited once more keeps those of its first credit. */
function decidedBy(deposit: ReviewedDeposit, { remark, now }: { readonly remark: string; readonly now: Instant }) {
  if (deposit.status === CREDITED) return { feedback: deposit.feedback, decidedAt: deposit.decidedAt }
  return { feedback: remark, decidedAt: now }
}
