import { staffCalls } from '#contract/back-office/staff-calls.ts'
import type { StaffRow } from '#contract/back-office/staff.ts'
import { ok, refuse } from '#core/result.ts'
import { isAllowed } from '#core/staff/permissions.ts'
import { instant, toIso } from '#core/time/instant.ts'
import { recordAction } from '#server/audit/record-action.ts'
import type { RegisterStaff } from '#server/back-office/api/register-staff-call.ts'
import type { RegisterStaffList } from '#server/back-office/api/register-staff-list.ts'
import type { Ctx } from '#server/platform/context/context.ts'
import { inviteStaff } from '#server/back-office/staff/join-staff.ts'
import { changeStaff, reinviteStaff } from '#server/back-office/staff/manage-staff.ts'
import { listStaff } from '#server/back-office/staff/staff.queries.ts'
import {
  endStaffSession,
  listStaffSessions,
  readRole,
} from '#server/back-office/staff-sessions/staff-sessions.queries.ts'

/** The token is in the URL fragment, which browsers send to no server, so no log contains it. */
export const joinPath = (token: string): string => `/admin/join#${token}`

/** Registers the calls for staff members and their sessions. */
export function staffRoutes(
  register: RegisterStaff,
  registerList: RegisterStaffList,
  { ctx }: { readonly ctx: Ctx },
): void {
  registerList(staffCalls.staffMembers, async ({ after, limit }) => {
    const people = await listStaff(ctx.db, { after, limit })
    return people.map((person) => ({ row: toRow(person), cursor: [person.name.toLowerCase()] }))
  })
  register(staffCalls.staffInviteMember, async ({ body: { name, role }, actor }) => {
    const invited = await inviteStaff(ctx, { name, role, actor })
    return invited.ok ? ok({ join_path: joinPath(invited.value.token) }) : invited
  })
  register(staffCalls.staffReinviteMember, async ({ params: { id }, body, actor }) => {
    const invited = await reinviteStaff(ctx, { ...body, staffId: id, actor })
    return invited.ok ? ok({ join_path: joinPath(invited.value.token) }) : invited
  })
  register(staffCalls.staffChangeMember, async ({ params: { id }, body, actor }) =>
    changeStaff(ctx, { ...body, isBlocked: body.is_blocked, staffId: id, actor }),
  )
  register(staffCalls.staffSessions, async ({ staff }) => {
    const ofWhom = isAllowed(staff.role, 'staff.manage') ? null : staff.staffId
    const sessions = await listStaffSessions(ctx.db, ofWhom, ctx.now())
    return ok({
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
    sessions: Number(person.sessions ?? 0),
    last_seen_at: person.seen_ms === null ? null : toIso(instant(person.seen_ms)),
    created_at: toIso(instant(person.created_ms)),
    version: person.version,
  }
}
