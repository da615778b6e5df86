import { type Result, ok, refuse } from '#core/result.ts'
import type { Role } from '#core/staff/permissions.ts'
import { type Actor, recordAction } from '#server/audit/record-action.ts'
import { staleWriteRefusal } from '#server/audit/stale-write.ts'
import type { Ctx } from '#server/platform/context/context.ts'
import { issueInvitation } from '#server/back-office/staff/join-staff.ts'
import { forgetCredentials, lockStaff, updateStaff } from '#server/back-office/staff/staff.queries.ts'
import { endStaffSessionsOf } from '#server/back-office/staff-sessions/staff-sessions.queries.ts'
import { removeTickets } from '#server/back-office/staff/staff-tickets.ts'

interface Edit {
  readonly staffId: string
  readonly version: number
  readonly reason: string
  readonly actor: Actor
}

export type ManageRefusal = 'not_found' | 'changed_meanwhile' | 'reason_needed' | 'not_yourself'

/**
 * Changes a staff member's role, or blocks or unblocks them.
 * No staff member can change their own account. So only another owner can remove an owner, and one always remains.
 */
export async function changeStaff(
  ctx: Ctx,
  edit: Edit & { readonly role: Role; readonly isBlocked: boolean },
): Promise<Result<{ readonly version: number }, ManageRefusal>> {
  const { staffId, version, reason, actor, role, isBlocked } = edit
  if (reason === '') return refuse('reason_needed')
  if (actor.staffId === staffId) return refuse('not_yourself')
  const changed = await ctx.db.transaction().execute(async (tx) => {
    const staff = await lockStaff(tx, staffId)
    if (!staff) return refuse('not_found')
    if (staff.version !== version) return staleWriteRefusal(tx, { target: staff.name, seenVersion: version, actor })
    const next = version + 1
    await updateStaff(tx, staffId, { role, isBlocked, version: next })
    if (isBlocked) {
      await endStaffSessionsOf(tx, staffId)
      await removeTickets(tx, staffId, 'second_step')
      await removeTickets(tx, staffId, 'invitation')
    }
    await recordAction(tx, ctx, actor, {
      target: staff.name,
      reason,
      outcome: 'done',
      before: { version, role: staff.role, isBlocked: staff.isBlocked },
      after: { version: next, role, isBlocked },
    })
    return ok({ version: next })
  })
  if (changed.ok) ctx.publish({ kind: 'staff-changed', staffId })
  return changed
}

/** Deletes a staff member's password and second step, ends the sessions, and returns the token of a new invitation. */
export async function reinviteStaff(
  ctx: Ctx,
  { staffId, version, reason, actor }: Edit,
): Promise<Result<{ readonly token: string }, ManageRefusal>> {
  if (reason === '') return refuse('reason_needed')
  if (actor.staffId === staffId) return refuse('not_yourself')
  const invited = await ctx.db.transaction().execute(async (tx) => {
    const staff = await lockStaff(tx, staffId)
    if (!staff) return refuse('not_found')
    if (staff.version !== version) return staleWriteRefusal(tx, { target: staff.name, seenVersion: version, actor })
    const next = version + 1
    await forgetCredentials(tx, staffId, next)
    await endStaffSessionsOf(tx, staffId)
    await removeTickets(tx, staffId, 'second_step')
    const token = await issueInvitation(ctx, tx, staffId)
    await recordAction(tx, ctx, actor, {
      target: staff.name,
      reason,
      outcome: 'done',
      before: { version, credentials: 'own' },
      after: { version: next, credentials: 'to be chosen' },
    })
    return ok({ token })
  })
  if (invited.ok) ctx.publish({ kind: 'staff-changed', staffId })
  return invited
}
