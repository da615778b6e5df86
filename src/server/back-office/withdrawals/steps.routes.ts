import { staffCalls } from '#contract/back-office/staff-calls.ts'
import { type Result, ok, refuse } from '#core/result.ts'
import { instant } from '#core/time/instant.ts'
import { contentHash } from '#server/audit/content-hash.ts'
import type { Actor } from '#server/audit/record-action.ts'
import type { RegisterStaff } from '#server/back-office/api/register-staff-call.ts'
import { toStepRefusal } from '#server/back-office/withdrawals/withdrawal-reply.ts'
import { approveWithdrawal } from '#server/payments/withdrawals/approve-withdrawal.ts'
import type { ByStaff, Stepped } from '#server/payments/withdrawals/change-withdrawal.ts'
import { findForReview } from '#server/payments/withdrawals/find-withdrawals.queries.ts'
import {
  markFailed,
  markPaid,
  markUnsent,
  startPaying,
  takeOverPayment,
} from '#server/payments/withdrawals/pay-withdrawal.ts'
import { rejectWithdrawal } from '#server/payments/withdrawals/reject-withdrawal.ts'
import { returnWithdrawal } from '#server/payments/withdrawals/return-withdrawal.ts'
import type { Ctx } from '#server/platform/context/context.ts'
import { approvalLimits } from '#server/settings/approval-limits.ts'
import type { Settings } from '#server/settings/site-settings.ts'

interface StepParts {
  readonly ctx: Ctx
  readonly settings: Settings
  readonly mode: 'demo' | 'live'
}

interface Given {
  readonly params: { readonly trx: string }
  readonly body: { readonly content_hash: string; readonly request_id: string }
  readonly staff: { readonly staffId: string }
  readonly actor: Actor
}

/** Registers the call for each step that staff take: approve, reject, start to pay, record the outcome, take over. */
export function staffStepRoutes(register: RegisterStaff, { ctx, settings, mode }: StepParts): void {
  register(staffCalls.staffApproveWithdrawal, async (given) => {
    const { words, reason } = given.body
    const limits = approvalLimits(settings, mode)
    return reply(given, await approveWithdrawal(ctx, { ...stepOf(given), words, reason, limits }))
  })
  register(staffCalls.staffRejectWithdrawal, async (given) => {
    const { words, reason_code: reasonCode, again_days: againDays = null } = given.body
    const done = await rejectWithdrawal(ctx, { ...stepOf(given), words, reasonCode, againDays, mode })
    if (done.ok) return reply<never>(given, done)
    if (done.refusal === 'words_missing') return refuse('words_needed')
    return reply(given, { ...done, refusal: done.refusal })
  })
  register(staffCalls.staffStartPaying, async (given) => reply(given, await startPaying(ctx, stepOf(given))))
  register(staffCalls.staffMarkPaid, async (given) => {
    const { reference, paid_at: paidAt, sent_amount: sentAmount, network_fee: networkFee } = given.body
    const time = paidAt === undefined ? undefined : instant(Date.parse(paidAt))
    return reply(given, await markPaid(ctx, { ...stepOf(given), reference, paidAt: time, sentAmount, networkFee }))
  })
  register(staffCalls.staffMarkUnsent, async (given) =>
    reply(given, await markUnsent(ctx, { ...stepOf(given), words: given.body.words })),
  )
  register(staffCalls.staffMarkFailed, async (given) =>
    reply(given, await markFailed(ctx, { ...stepOf(given), words: given.body.words })),
  )
  register(staffCalls.staffReturnWithdrawal, async (given) => {
    const { words, reference } = given.body
    const limits = approvalLimits(settings, mode)
    return reply(given, await returnWithdrawal(ctx, { ...stepOf(given), words, reference, limits }))
  })
  register(staffCalls.staffTakeOverWithdrawal, async (given) =>
    reply(given, await takeOverPayment(ctx, { ...stepOf(given), reason: given.body.reason })),
  )

  async function reply<R extends string>({ params: { trx } }: Given, done: Result<Stepped, R>) {
    if (done.ok) return ok({ outcome: done.value.outcome })
    return toStepRefusal(ctx.db, done, await findForReview(ctx.db, ctx.vault, trx))
  }
}

/**
 * Builds the step that a call asks for: the content hash that the staff member saw, and a hash of the request. This
 * hash tells a repeated request from a new request with the same id.
 */
function stepOf({ params: { trx }, body, staff: { staffId }, actor }: Given): ByStaff & { readonly trx: string } {
  const { request_id: requestId, content_hash: seenHash, ...content } = body
  const hash = contentHash({ what: actor.what, trx, seenHash, ...content })
  return { trx, actor, seenHash, request: { staffId, requestId, contentHash: hash } }
}
