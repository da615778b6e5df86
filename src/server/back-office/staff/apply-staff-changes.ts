import { type Result, ok, refuse } from '#core/result.ts'
import { isRole } from '#core/staff/permissions.ts'
import { isSingleOperator } from '#core/staff/independence.ts'
import { readApprovers } from '#server/audit/approvers.queries.ts'
import type { ApplyChange } from '#server/audit/changes/apply-changes.ts'
import type { ChangeFields } from '#server/audit/changes/changes.queries.ts'
import type { Ctx } from '#server/platform/context/context.ts'
import { accessOf, endAccess, endApprover } from '#server/back-office/staff/manage-staff.ts'
import {
  admitApprover,
  findStaff,
  findStaffByName,
  forgetCredentials,
  insertStaff,
  lockOwners,
  lockStaff,
  type StaffAccount,
  updateStaff,
} from '#server/back-office/staff/staff.queries.ts'
import type { Tx } from '#server/platform/database/tables.ts'
import { releaseTickets } from '#server/users/tickets/tickets.queries.ts'

/** Applies changes of staff: invitations, roles and approvers. */
export function createApplyStaff(ctx: Ctx): Readonly<Record<'invite' | 'reinvite' | 'role' | 'approver', ApplyChange>> {
  const published = (staffId: string) => async (): Promise<void> => ctx.publish({ kind: 'staff-changed', staffId })
  return {
    async invite(tx, { subject: name, after, requestedBy }) {
      const role = String(after['role'])
      if (!isRole(role)) return refuse('not_found')
      const staff = { id: ctx.newId(), name, role, mail: String(after['mail']), invitedBy: requestedBy }
      if (!(await insertStaff(tx, { ...staff, createdAt: ctx.now() }))) return refuse('staff_name_taken')
      return ok({ before: null, after: { version: 1, role }, afterCommit: published(staff.id) })
    },
    async reinvite(tx, { subject, before: asked, after, requestedBy }) {
      const found = await lockUnchanged(tx, subject, asked)
      if (!found.ok) return found
      const staff = found.value
      await endApprover(ctx, tx, staff)
      const version = staff.version + 1
      await forgetCredentials(tx, staff.id, { version, by: requestedBy, at: ctx.now(), mail: String(after['mail']) })
      await endAccess(tx, staff.id)
      const before = { version: staff.version, credentials: 'own' }
      return ok({ before, after: { version, credentials: 'to be chosen' }, afterCommit: published(staff.id) })
    },
    async role(tx, { subject, before: asked, after }) {
      const owners = await lockOwners(tx)
      const found = await lockUnchanged(tx, subject, asked)
      if (!found.ok) return found
      const staff = found.value
      const role = String(after['role'])
      if (!isRole(role)) return refuse('not_found')
      // The owner who requested this may be blocked or demoted since, and the last owner must remain one.
      if (role !== 'owner' && owners.has(staff.id) && owners.size === 1) return refuse('changed_meanwhile')
      await endApprover(ctx, tx, staff)
      const version = staff.version + 1
      await updateStaff(tx, staff.id, { role, isBlocked: after['is_blocked'] === true, version })
      await releaseTickets(tx, staff.id)
      const before = { version: staff.version, role: staff.role, isBlocked: staff.isBlocked }
      return ok({ before, after: { version, role, isBlocked: false }, afterCommit: published(staff.id) })
    },
    async approver(tx, { subject, before: asked, requestedBy, secondBy }) {
      const found = await lockUnchanged(tx, subject, asked)
      if (!found.ok) return found
      const staff = found.value
      if (staff.isBlocked || staff.totpSecret === null) return refuse('not_found')
      const { byId } = await readApprovers(ctx, tx)
      const founder = await findStaff(tx, requestedBy)
      // The first two approvers are admitted together: the staff member who decided alone until now, and the member
      // they named.
      if (isSingleOperator(byId.size) && founder !== null && founder.approverAt === null && !founder.isBlocked)
        await admitApprover(tx, requestedBy, { by: [], at: ctx.now(), version: founder.version + 1 })
      const by = secondBy === null || secondBy === requestedBy ? [requestedBy] : [requestedBy, secondBy]
      const version = staff.version + 1
      await admitApprover(tx, staff.id, { by, at: ctx.now(), version })
      const before = { version: staff.version, approver: false }
      return ok({ before, after: { version, approver: true, admittedBy: by.length }, afterCommit: published(staff.id) })
    },
  }
}

/**
 * Locks a staff member whose change is due. The change fails if the role or the block differs from what the approvers
 * saw, because a block or a demotion made after the request must not be undone.
 */
async function lockUnchanged(
  tx: Tx,
  name: string,
  asked: ChangeFields,
): Promise<Result<StaffAccount, 'not_found' | 'changed_meanwhile'>> {
  const named = await findStaffByName(tx, name)
  const staff = named && (await lockStaff(tx, named.id))
  if (!staff) return refuse('not_found')
  const now = accessOf(staff)
  // A change that was requested before an update of the program may lack these fields.
  const isSame = ACCESS_FIELDS.every((field) => asked[field] === undefined || asked[field] === now[field])
  return isSame ? ok(staff) : refuse('changed_meanwhile')
}

const ACCESS_FIELDS = ['role', 'is_blocked'] as const
