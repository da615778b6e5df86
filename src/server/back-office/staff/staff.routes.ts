import { staffCalls } from '#contract/back-office/staff-calls.ts'
import type { StaffRow } from '#contract/back-office/staff.ts'
import { ok, refuse } from '#core/result.ts'
import { isAllowed } from '#core/staff/permissions.ts'
import { instant, toIso } from '#core/time/instant.ts'
import { recordAction } from '#server/audit/record-action.ts'
import type { RegisterStaff } from '#server/back-office/api/register-staff-call.ts'
import type { RegisterStaffList } from '#server/back-office/api/register-staff-list.ts'
import type { Ctx } from '#server/platform/context/context.ts'
import { toPendingReply } from '#server/back-office/api/pending-reply.ts'
import { askInvite, askReinvite, changeStaff } from '#server/back-office/staff/manage-staff.ts'
import { listStaffLogIns } from '#server/back-office/staff/log-ins.queries.ts'
import { listStaff } from '#server/back-office/staff/staff.queries.ts'
import {
  endStaffSession,
  listStaffSessions,
  readRole,
} from '#server/back-office/staff-sessions/staff-sessions.queries.ts'

/** The token is in the URL fragment, which browsers send to no server, so no log contains it. */
export const joinPath = (token: string): string => `/admin/join#${token}`

const LOG_INS_SHOWN = 30

/** Registers the calls for staff members and their sessions. */
export function staffRoutes(
  register: RegisterStaff,
  registerList: RegisterStaffList,
  { ctx, mode }: { readonly ctx: Ctx; readonly mode: 'demo' | 'live' },
): void {
  registerList(staffCalls.staffMembers, async ({ after, limit }) => {
    const people = await listStaff(ctx.db, { after, limit })
    return people.map((person) => ({ row: toRow(person), cursor: [person.name.toLowerCase()] }))
  })
  register(staffCalls.staffInviteMember, async ({ body, actor }) => {
    const requested = await askInvite(ctx, { ...body, mode, actor })
    return requested.ok ? ok({ pending: toPendingReply(requested.value) }) : requested
  })
  register(staffCalls.staffReinviteMember, async ({ params: { id }, body, actor }) => {
    const requested = await askReinvite(ctx, { ...body, staffId: id, mode, actor })
    return requested.ok ? ok({ pending: toPendingReply(requested.value) }) : requested
  })
  register(staffCalls.staffChangeMember, async ({ params: { id }, body, actor }) => {
    const changed = await changeStaff(ctx, { ...body, isBlocked: body.is_blocked, staffId: id, mode, actor })
    if (!changed.ok) return changed
    return ok({ version: changed.value.version, pending: toPendingReply(changed.value.requested) })
  })
  register(staffCalls.staffSessions, async ({ staff }) => {
    const ofWhom = isAllowed(staff.role, 'staff.manage') ? null : staff.staffId
    const sessions = await listStaffSessions(ctx.db, ofWhom, ctx.now())
    const logIns = await listStaffLogIns(ctx.db, staff.name, LOG_INS_SHOWN)
    return ok({
      log_ins: logIns.map(({ at, isDone, device, address }) => ({ at: toIso(at), is_done: isDone, device, address })),
      sessions: sessions.map((session) => ({
        id: session.id,
        staff_id: session.staff_id,
        name: session.name,
        created_at: toIso(instant(session.created_ms)),
        seen_at: toIso(instant(session.seen_ms)),
        user_agent: session.user_agent,
        address: session.address,
        is_this: session.id === staff.sessionId,
      })),
    })
  })
  register(staffCalls.staffEndSession, async ({ params: { id }, staff, actor }) => {
    const mine = isAllowed(staff.role, 'staff.manage') ? undefined : staff.staffId
    const ownerId = await ctx.db.transaction().execute(async (tx) => {
      const staffId = await endStaffSession(tx, { sessionId: id, staffId: mine })
      if (staffId !== null) await recordAction(tx, ctx, actor, { target: staffId, outcome: 'done' })
      return staffId
    })
    if (ownerId === null) return refuse('not_found')
    ctx.publish({ kind: 'staff-changed', staffId: ownerId })
    return ok(null)
  })
}

function toRow(person: Awaited<ReturnType<typeof listStaff>>[number]): StaffRow {
  return {
    id: person.id,
    name: person.name,
    role: readRole(person.role),
    state: person.is_blocked ? 'blocked' : person.password_hash === null ? 'invited' : 'active',
    has_second_step: person.totp_secret !== null,
    mail: person.mail,
    approver_since: person.approver_ms === null ? null : toIso(instant(person.approver_ms)),
    admitted_by: person.approver_by.length,
    sessions: Number(person.sessions ?? 0),
    last_seen_at: person.seen_ms === null ? null : toIso(instant(person.seen_ms)),
    created_at: toIso(instant(person.created_ms)),
    version: person.version,
  }
}
