import { staffCalls } from '#contract/back-office/staff-calls.ts'
import { moneyNumber } from '#core/money/money.ts'
import { ok, refuse } from '#core/result.ts'
import { shortDetails, wholeDetails } from '#core/wallet/short-details.ts'
import {
  loadTransfersReply,
  toDecisionRefusal,
  toWithdrawalRow,
  withdrawalDeciders,
} from '#server/back-office/withdrawals/withdrawal-reply.ts'
import { queueFigures } from '#server/back-office/api/queue-figures.ts'
import type { RegisterStaffList } from '#server/back-office/api/register-staff-list.ts'
import type { RegisterStaff } from '#server/back-office/api/register-staff-call.ts'
import { addRemark, listStaffNotes, toStaffNotesReply } from '#server/audit/staff-notes.ts'
import type { Ctx } from '#server/platform/context/context.ts'
import { approvalLimits } from '#server/settings/approval-limits.ts'
import type { Settings } from '#server/settings/site-settings.ts'
import { approveWithdrawal } from '#server/payments/withdrawals/approve-withdrawal.ts'
import { findForReview } from '#server/payments/withdrawals/find-withdrawals.queries.ts'
import { checksOf, recentOf } from '#server/back-office/withdrawals/review-facts.queries.ts'
import { rejectWithdrawal } from '#server/payments/withdrawals/reject-withdrawal.ts'
import { listStaffWithdrawals, withdrawalCursor } from '#server/back-office/withdrawals/withdrawals.queries.ts'
import { withdrawalHash } from '#server/payments/withdrawals/withdrawal-hash.ts'

interface StaffWithdrawalsParts {
  readonly ctx: Ctx
  readonly settings: Settings
  readonly mode: 'demo' | 'live'
}

/** Registers the calls for the queue of withdrawals: list, approve, reject and add notes. */
export function staffWithdrawalsRoutes(
  register: RegisterStaff,
  registerList: RegisterStaffList,
  { ctx, settings, mode }: StaffWithdrawalsParts,
): void {
  const { db } = ctx

  registerList(staffCalls.staffWithdrawals, async ({ filters: { state, search }, after, limit, isFile }) => {
    const wanted = { state: state ?? null, search: search ?? null }
    const withdrawals = await listStaffWithdrawals(db, ctx.vault, wanted, { after, limit })
    const checks = await checksOf(db, withdrawals)
    const decidedBy = await withdrawalDeciders(db, withdrawals)
    const { twoPeopleAbove } = settings.current
    // Roles that see the list may see the details of each withdrawal in full.
    const payTo = isFile ? wholeDetails : shortDetails
    return withdrawals.map((one) => ({
      row: { ...toWithdrawalRow(one, { decidedBy, checks, twoPeopleAbove }), pay_to: payTo(one.details) },
      cursor: withdrawalCursor(one, wanted),
    }))
  })

  register(staffCalls.staffWithdrawalFigures, async () => ok(await queueFigures(db, 'withdrawal', ctx.now())))

  register(staffCalls.staffWithdrawal, async ({ params: { trx } }) => {
    const withdrawal = await findForReview(db, ctx.vault, trx)
    if (!withdrawal) return refuse('not_found')
    const checks = await checksOf(db, [withdrawal])
    const recent = await recentOf(db, withdrawal.userId, ctx.now())
    const decidedBy = await withdrawalDeciders(db, [withdrawal])
    const { twoPeopleAbove } = settings.current
    return ok({
      ...toWithdrawalRow(withdrawal, { decidedBy, checks, twoPeopleAbove }),
      content_hash: withdrawalHash(withdrawal),
      details: Object.entries(withdrawal.details).map(([label, value]) => ({ label, value })),
      checks: checks.get(trx) ?? [],
      moves: await loadTransfersReply(db, withdrawal),
      recent: { ...recent, deposited: moneyNumber(recent.deposited), withdrawn: moneyNumber(recent.withdrawn) },
      remarks: toStaffNotesReply(await listStaffNotes(db, { kind: 'withdrawal', subject: trx })),
      feedback: withdrawal.feedback,
    })
  })

  register(staffCalls.staffApproveWithdrawal, async ({ params: { trx }, body, actor }) => {
    const seen = { trx, actor, seenHash: body.content_hash }
    const done = await approveWithdrawal(ctx, { ...seen, words: body.words, limits: approvalLimits(settings, mode) })
    if (!done.ok) return toDecisionRefusal(db, done, trx)
    return ok({ outcome: done.value.isDecided ? 'paid' : 'first-approval' } as const)
  })

  register(staffCalls.staffRejectWithdrawal, async ({ params: { trx }, body, actor }) => {
    const { words, reason_code: reasonCode, again_days: againDays = null, content_hash: seenHash } = body
    const done = await rejectWithdrawal(ctx, { trx, words, reasonCode, againDays, actor, seenHash, mode })
    if (done.ok) return ok({ outcome: done.value.isDecided ? 'rejected' : 'first-rejection' } as const)
    if (done.refusal === 'words_missing') return refuse('words_needed')
    return toDecisionRefusal(db, { ...done, refusal: done.refusal }, trx)
  })

  register(staffCalls.staffRemarkWithdrawal, async ({ params: { trx }, body: { text }, staff, actor }) => {
    if (text === '') return refuse('remark_needed')
    if (!(await findForReview(db, ctx.vault, trx))) return refuse('not_found')
    const subject = { kind: 'withdrawal', subject: trx } as const
    await addRemark(ctx, subject, { text, staffId: staff.staffId, actor })
    return ok({ remarks: toStaffNotesReply(await listStaffNotes(db, subject)) })
  })
}
