import type { CorrectionRow } from '#contract/back-office/corrections.ts'
import { staffCalls } from '#contract/back-office/staff-calls.ts'
import { money, moneyNumber } from '#core/money/money.ts'
import { ok, refuse } from '#core/result.ts'
import { addsMoney } from '#core/wallet/adjustment-rules.ts'
import { toIso } from '#core/time/instant.ts'
import type { RegisterStaff } from '#server/back-office/api/register-staff-call.ts'
import type { RegisterStaffList } from '#server/back-office/api/register-staff-list.ts'
import type { Ctx } from '#server/platform/context/context.ts'
import { requestAdjustment } from '#server/payments/adjustments/request-adjustment.ts'
import { adjustmentHash } from '#server/payments/adjustments/adjustment-hash.ts'
import { type Adjustment, findAdjustment, listAdjustments } from '#server/payments/adjustments/adjustments.queries.ts'
import { decideAdjustment } from '#server/payments/adjustments/decide-adjustment.ts'
import { withdrawAdjustment } from '#server/payments/adjustments/withdraw-adjustment.ts'

interface StaffAdjustmentsParts {
  readonly ctx: Ctx
  readonly mode: 'demo' | 'live'
}

/** Registers the calls for adjustments: request, list, and approve or reject by another staff member. */
export function staffCorrectionsRoutes(
  register: RegisterStaff,
  registerList: RegisterStaffList,
  { ctx, mode }: StaffAdjustmentsParts,
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
    const { user_id: userId, kind, link, reason, message } = body
    const amount = money(addsMoney(kind) ? body.amount : -body.amount)
    const request = { userId, kind, link, amount, reason, message, staffId: staff.staffId, actor }
    return requestAdjustment(ctx, request)
  })

  register(staffCalls.staffApproveCorrection, async ({ params: { id }, body, staff: { staffId }, actor }) => {
    const done = await decideAdjustment(ctx, {
      id,
      decision: 'approve',
      seenHash: body.content_hash,
      staffId,
      mode,
      words: '',
      actor,
    })
    if (!done.ok) return done
    return ok({ outcome: done.value.state })
  })

  register(staffCalls.staffWithdrawCorrection, async ({ params: { id }, staff: { staffId }, actor }) =>
    withdrawAdjustment(ctx, { id, staffId, actor }),
  )

  register(staffCalls.staffRejectCorrection, async ({ params: { id }, body, staff: { staffId }, actor }) => {
    const { words } = body
    if (words === '') return refuse('reason_needed', { field: 'words' })
    const seenHash = body.content_hash
    const done = await decideAdjustment(ctx, { id, decision: 'reject', seenHash, staffId, mode, words, actor })
    return done.ok ? ok({ outcome: done.value.state }) : done
  })
}

function toRow(correction: Adjustment): CorrectionRow {
  return {
    id: correction.id,
    state: correction.state,
    user_id: correction.userId,
    username: correction.username,
    trx: correction.trx,
    kind: correction.kind,
    link: correction.link,
    message: correction.message,
    amount: moneyNumber(correction.amount),
    reason: correction.reason,
    asked_by: correction.requestedByName,
    asked_at: toIso(correction.requestedAt),
    decided_by: correction.decidedByName,
    decided_at: correction.decidedAt === null ? null : toIso(correction.decidedAt),
    posts_at: correction.postsAt === null ? null : toIso(correction.postsAt),
  }
}
