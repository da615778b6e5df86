import { staffCalls } from '#contract/back-office/staff-calls.ts'
import { ok } from '#core/result.ts'
import { readApprovers } from '#server/audit/approvers.queries.ts'
import { cancelChange, secondChange } from '#server/audit/changes/ask-change.ts'
import { listChanges } from '#server/audit/changes/changes.queries.ts'
import type { RegisterStaff } from '#server/back-office/api/register-staff-call.ts'
import type { RegisterStaffList } from '#server/back-office/api/register-staff-list.ts'
import { toPendingReply } from '#server/back-office/api/pending-reply.ts'
import { readGatewayNames } from '#server/back-office/audit/gateway-names.queries.ts'
import { toChangeRow } from '#server/back-office/changes/change-reply.ts'
import { askApprover } from '#server/back-office/staff/manage-staff.ts'
import type { Ctx } from '#server/platform/context/context.ts'

/** Registers the calls for changes that need two approvers: list, request, agree and cancel. */
export function staffChangesRoutes(
  register: RegisterStaff,
  registerList: RegisterStaffList,
  { ctx, mode }: { readonly ctx: Ctx; readonly mode: 'demo' | 'live' },
): void {
  registerList(staffCalls.staffChanges, async ({ filters: { state }, after, limit, staff }) => {
    const changes = await listChanges(ctx.db, state === 'open', { after, limit })
    const approvers = await readApprovers(ctx, ctx.db)
    const gateways = await readGatewayNames(
      ctx.db,
      changes.map(({ subject }) => subject),
    )
    const viewer = { approvers, staffId: staff?.staffId ?? '', isOwner: staff?.role === 'owner', now: ctx.now() }
    return changes.map((change) => ({
      row: toChangeRow(change, gateways, viewer),
      cursor: [change.requestedAt, change.id],
    }))
  })
  register(staffCalls.staffAskChange, async ({ body: { staff_id: staffId, reason }, actor }) => {
    const requested = await askApprover(ctx, { staffId, reason, mode, actor })
    return requested.ok ? ok({ pending: toPendingReply(requested.value) }) : requested
  })
  register(staffCalls.staffSecondChange, async ({ params: { id }, body, staff: { staffId }, actor }) => {
    const agreed = await secondChange(ctx, { id, staffId, actor, seenHash: body.content_hash, mode })
    return agreed.ok ? ok({ pending: toPendingReply(agreed.value) }) : agreed
  })
  register(staffCalls.staffCancelChange, async ({ params: { id }, staff: { staffId, role }, actor }) =>
    cancelChange(ctx, { id, staffId, actor, isOwner: role === 'owner' }),
  )
}
