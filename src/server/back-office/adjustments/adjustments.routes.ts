import type { CorrectionRow } from '#contract/back-office/corrections.ts'
import { staffCalls } from '#contract/back-office/staff-calls.ts'
import { money, moneyNumber } from '#core/money/money.ts'
import { ok, refuse } from '#core/result.ts'
import { toIso } from '#core/time/instant.ts'
import type { RegisterStaff } from '#server/back-office/api/register-staff-call.ts'
import type { RegisterStaffList } from '#server/back-office/api/register-staff-list.ts'
import type { Ctx } from '#server/platform/context/context.ts'
import { requestAdjustment } from '#server/payments/adjustments/request-adjustment.ts'
import { adjustmentHash } from '#server/payments/adjustments/adjustment-hash.ts'
import { type Adjustment, findAdjustment, listAdjustments } from '#server/payments/adjustments/adjustments.queries.ts'
import { decideAdjustment } from '#server/payments/adjustments/decide-adjustment.ts'
import { withdrawAdjustment } from '#server/payments/adjustments/withdraw-adjustment.ts'

/** Registers the calls for adjustments: request, list, and approve or reject by another staff member. */
export function staffCorrectionsRoutes(
  register: RegisterStaff,
  registerList: RegisterStaffList,
  { ctx, mode }: { readonly ctx: Ctx; readonly mode: 'demo' | 'live' },
): void {
  registerList(staffCalls.staffCorrections, async ({ filters: { state, search, user: userId }, after, limit }) => {
    const found = await listAdjustments(ctx.db, { state, search, userId }, { after, limit })
    return found.map((correction) => ({ row: toRow(correction), cursor: [correction.requestedAt, correction.id] }))
  })

  register(staffCalls.staffCorrection, async ({ params: { id } }) => {
    const correction = await findAdjustment(ctx.db, id)
    if (!correction) return refuse('not_found')
    const { cash, words } = correction
    return ok({
      ...toRow(correction),
      content_hash: adjustmentHash(correction),
      cash: moneyNumber(cash),
      words,
    })
  })

  register(staffCalls.staffRequestCorrection, async ({ body, staff, actor }) => {
    const { user_id: userId, direction, reason } = body
    const amount = money(direction === 'in' ? body.amount : -body.amount)
    return requestAdjustment(ctx, { userId, amount, reason, staffId: staff.staffId, actor })
  })

  register(staffCalls.staffApproveCorrection, async ({ params: { id }, body, staff: { staffId }, actor }) => {
    const seen = { id, seenHash: body.content_hash, staffId, mode, actor }
    const done = await decideAdjustment(ctx, { ...seen, state: 'posted', words: '' })
    return done.ok ? ok({ outcome: done.value.state }) : done
  })

  register(staffCalls.staffWithdrawCorrection, async ({ params: { id }, staff: { staffId }, actor }) =>
    withdrawAdjustment(ctx, { id, staffId, actor }),
  )

  register(staffCalls.staffRejectCorrection, async ({ params: { id }, body, staff: { staffId }, actor }) => {
    const { words } = body
    if (words === '') return refuse('reason_needed', { field: 'words' })
    const seen = { id, seenHash: body.content_hash, staffId, mode, actor }
    const done = await decideAdjustment(ctx, { ...seen, state: 'rejected', words })
    if (done.ok) return ok({ outcome: done.value.state })
    return done
  })
}

function toRow(correction: Adjustment): CorrectionRow {
  return {
    id: correction.id,
    state: correction.state,
    user_id: correction.userId,
    username: correction.username,
    amount: moneyNumber(correction.amount),
    reason: correction.reason,
    asked_by: correction.requestedByName,
    asked_at: toIso(correction.requestedAt),
    decided_by: correction.decidedByName,
    decided_at: correction.decidedAt === null ? null : toIso(correction.decidedAt),
  }
}
