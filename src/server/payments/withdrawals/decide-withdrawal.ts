import { money } from '#core/money/money.ts'
import { type Refusal, type Result, ok, refuse } from '#core/result.ts'
import { DAY_MS, type Instant, later } from '#core/time/instant.ts'
import { MAX_AGAIN_DAYS } from '#core/wallet/leave.ts'
import { type RejectionCode, rejectionCodes } from '#core/wallet/withdrawal-deadline.ts'
import { isUnpaid } from '#core/wallet/withdrawal-state.ts'
import {
  type ApprovalLimits,
  type ApprovalRefusal,
  checkDualApproval,
  checkTwoPeople,
} from '#server/audit/check-dual-approval.ts'
import { endApprovals } from '#server/audit/dual-approval.ts'
import {
  type ByStaff,
  type ChangeRefusal,
  changeWithdrawal,
  type Stepped,
  takeStep,
} from '#server/payments/withdrawals/change-withdrawal.ts'
import { principalOf, wasRejectedLately } from '#server/payments/withdrawals/deadline.queries.ts'
import { findDuplicates } from '#server/payments/withdrawals/duplicates.queries.ts'
import type { ReviewedWithdrawal } from '#server/payments/withdrawals/find-withdrawals.queries.ts'
import { refuseLeaveOf } from '#server/payments/withdrawals/leave.queries.ts'
import { findPayer } from '#server/payments/withdrawals/payer.queries.ts'
import { withdrawalHash } from '#server/payments/withdrawals/withdrawal-hash.ts'
import { closingTransfers } from '#server/payments/withdrawals/withdrawal-transfers.ts'
import type { Ctx } from '#server/platform/context/context.ts'
import type { Tx } from '#server/platform/database/tables.ts'
import { payeeOf } from '#server/platform/encryption/sealed-details.ts'

interface StaffDecision extends ByStaff {
  /** The message to the user. May be empty for an approval. */
  readonly words: string
}

/**
 * A decision about a withdrawal that is not paid yet: an approval or rejection by staff, or a cancellation by the user.
 */
export type Decision =
  | (StaffDecision & {
      readonly kind: 'approved'
      readonly limits: ApprovalLimits
      /** The reason why the withdrawal may be paid although it looks like a duplicate. */
      readonly reason?: string
    })
  | (StaffDecision & {
      readonly kind: 'rejected'
      readonly reasonCode: RejectionCode
      /**
       * If staff refuse the leave of a blocked user: the days until the user can request it again. Null for an ordinary
       * withdrawal, and when the payment details are wrong.
       */
      readonly againDays: number | null
      readonly mode: 'demo' | 'live'
    })
  | { readonly kind: 'cancelled' }

type OutcomeRefusal = 'withdrawal_decided' | 'withdrawal_being_paid'
type RejectionRefusal = 'identity_not_needed' | 'reason_not_allowed' | 'again_needed'
type Refused = OutcomeRefusal | 'reason_needed' | RejectionRefusal | ApprovalRefusal
export type CloseRefusal = ChangeRefusal | Refused

/**
 * Approves a withdrawal, so that it may be paid, or rejects or cancels it and returns the held amount. All three are
 * refused once the payment has started.
 */
export async function decideWithdrawal(
  ctx: Ctx,
  { trx, userId }: { readonly trx: string; readonly userId?: string },
  decision: Decision,
): Promise<Result<Stepped, CloseRefusal>> {
  const staff = decision.kind === 'cancelled' ? {} : { staff: decision }
  const own = { trx, ...(userId !== undefined && { userId }), ...staff }
  return changeWithdrawal<Refused>(ctx, own, {
    check: async (one, tx) => {
      const { state } = one
      if (state === 'paying') return refuse('withdrawal_being_paid', { params: { who: await findPayer(tx, one) } })
      const isOpen = decision.kind === 'approved' ? state === 'requested' : isUnpaid(state)
      return isOpen ? null : refuse('withdrawal_decided', { params: { state } })
    },
    take: (tx, one) => take(tx, ctx, { withdrawal: one, decision, now: ctx.now() }),
  })
}

async function take(tx: Tx, ctx: Ctx, considered: Considered): Promise<Result<Stepped, Refused>> {
  const { withdrawal: one, decision, now } = considered
  const admitted = await admit(tx, ctx, considered)
  if (typeof admitted !== 'string') return admitted
  if (decision.kind === 'cancelled') {
    const transfers = closingTransfers(one, 'cancelled')
    return ok(await takeStep(ctx, tx, one, { step: 'cancelled', at: now, transfers, change: { decidedAt: now } }))
  }
  const { kind, actor, words } = decision
  if (admitted === 'first') {
    const step = kind === 'approved' ? 'first_approval' : 'first_rejection'
    return ok(await takeStep(ctx, tx, one, { step, at: now, actor }))
  }
  if (kind === 'approved') {
    const { reason = '' } = decision
    return ok(await takeStep(ctx, tx, one, { step: kind, at: now, actor, words, reason, change: { feedback: words } }))
  }
  const { reasonCode } = decision
  const change = { feedback: words, reasonCode, decidedAt: now }
  const transfers = closingTransfers(one, kind)
  await refuseLeaveOf(tx, one, { at: now, againAt: later(now, (decision.againDays ?? 0) * DAY_MS) })
  return ok(
    await takeStep(ctx, tx, one, { step: kind, at: now, actor, words, change, transfers, data: { reasonCode } }),
  )
}

interface Considered {
  readonly withdrawal: ReviewedWithdrawal
  readonly decision: Decision
  readonly now: Instant
}

/**
 * Checks whether a decision needs a second approver. A first approval never counts as the first of two rejections, and
 * vice versa.
 */
async function admit(
  tx: Tx,
  ctx: Ctx,
  { withdrawal, decision, now }: Considered,
): Promise<'decide' | 'first' | Refusal<ApprovalRefusal | RejectionRefusal | 'reason_needed'>> {
  const { trx: subject, userId, amount, methodId, details } = withdrawal
  if (decision.kind === 'rejected') {
    const admitted = await admitRejection(tx, ctx, { withdrawal, decision, now })
    if (admitted !== 'decide') return admitted
    await endApprovals(ctx, tx, { kind: 'withdrawal', subject })
    return 'decide'
  }
  if (decision.kind === 'approved') {
    const { actor, limits, reason = '' } = decision
    if (reason === '' && (await findDuplicates(tx, [subject])).get(subject)?.some(({ asksReason }) => asksReason)) {
      return refuse('reason_needed')
    }
    const destination = payeeOf(ctx.vault, methodId, details)
    const contentHash = withdrawalHash(withdrawal)
    const content = { kind: 'withdrawal', subject, contentHash, actor, userId, amount, destination } as const
    const admitted =
      withdrawal.confirmedBy === 'none'
        ? await checkTwoPeople(tx, ctx, { ...content, mode: limits.mode })
        : await checkDualApproval(tx, ctx, { ...content, limits })
    if (admitted !== 'decide') return admitted
  } else await endApprovals(ctx, tx, { kind: 'withdrawal', subject })
  await endApprovals(ctx, tx, { kind: 'rejection', subject })
  return 'decide'
}

async function admitRejection(
  tx: Tx,
  ctx: Ctx,
  {
    withdrawal,
    decision: { actor, reasonCode, againDays, mode },
    now,
  }: Considered & { readonly decision: Extract<Decision, { kind: 'rejected' }> },
): Promise<'decide' | 'first' | Refusal<ApprovalRefusal | RejectionRefusal>> {
  const { trx: subject, userId, leaveId, isAbovePrincipal, amount: requested } = withdrawal
  const isLeave = leaveId !== null
  if (!rejectionCodes(isLeave).includes(reasonCode)) return refuse('reason_not_allowed')
  const isAgainNeeded = isLeave && reasonCode !== 'details_wrong'
  if (isAgainNeeded !== (againDays !== null)) return refuse('again_needed', { params: { most: MAX_AGAIN_DAYS } })
  const isPrincipal =
    (reasonCode === 'identity' && requested <= (await principalOf(tx, userId))) ||
    (reasonCode === 'identity_failed' && !isAbovePrincipal)
  if (isPrincipal) return refuse('identity_not_needed')
  if (!isLeave && !(await wasRejectedLately(tx, userId, now))) return 'decide'
  // The amount is 0, because a rejection pays nothing and must not count towards the limits.
  const contentHash = [withdrawalHash(withdrawal), reasonCode, ...(againDays === null ? [] : [againDays])].join(' ')
  const content = { kind: 'rejection', subject, contentHash, amount: money(0n) } as const
  return await checkTwoPeople(tx, ctx, { ...content, userId, actor, mode })
}
