import { type Result, ok, refuse } from '#core/result.ts'
import { isPowerful, type Role } from '#core/staff/permissions.ts'
import { type RequestedChange, askChange, type AskRefusal } from '#server/audit/changes/ask-change.ts'
import { publishAct } from '#server/audit/changes/publish-act.ts'
import { type Actor, recordAction } from '#server/audit/record-action.ts'
import { staleWriteRefusal } from '#server/audit/stale-write.ts'
import type { Ctx } from '#server/platform/context/context.ts'
import type { Tx } from '#server/platform/database/tables.ts'
import {
  findStaff,
  findStaffByName,
  lockOwners,
  lockStaff,
  type StaffAccount,
  updateStaff,
} from '#server/back-office/staff/staff.queries.ts'
import { endStaffSessionsOf } from '#server/back-office/staff-sessions/staff-sessions.queries.ts'
import { removeTickets } from '#server/back-office/staff/staff-tickets.ts'
import { releaseTickets } from '#server/users/tickets/tickets.queries.ts'

interface Asking {
  readonly mode: 'demo' | 'live'
  readonly actor: Actor
}

interface Edit extends Asking {
  readonly staffId: string
  readonly version: number
  readonly reason: string
}

export type ManageRefusal = 'not_found' | 'changed_meanwhile' | 'reason_needed' | 'not_yourself' | AskRefusal

/**
 * Requests the invitation of a new staff member. The link is sent to the new member's own address when the change is in
 * force.
 */
export async function askInvite(
  ctx: Ctx,
  { name, role, mail, mode, actor }: Asking & { readonly name: string; readonly role: Role; readonly mail: string },
): Promise<Result<RequestedChange, 'staff_name_taken' | AskRefusal>> {
  return ctx.db.transaction().execute(async (tx) => {
    if (await findStaffByName(tx, name)) return refuse('staff_name_taken')
    const change = { kind: 'invite', subject: name, before: {}, after: { role, mail }, reason: '' } as const
    const requested = await askChange(ctx, tx, { mode, actor, change })
    if (!requested.ok) return requested
    await recordAction(tx, ctx, actor, { target: name, outcome: 'done', after: { role, waits: true } })
    return requested
  })
}

/**
 * Requests a new invitation for a staff member who lost the password or the authenticator. Nothing changes before the
 * request is in force.
 */
export async function askReinvite(
  ctx: Ctx,
  { staffId, version, reason, mail, mode, actor }: Edit & { readonly mail: string },
): Promise<Result<RequestedChange, ManageRefusal | 'mail_needed'>> {
  if (reason === '') return refuse('reason_needed')
  if (actor.staffId === staffId) return refuse('not_yourself')
  return ctx.db.transaction().execute(async (tx) => {
    const staff = await lockVersion(tx, { staffId, version, actor })
    if (!staff.ok) return staff
    const { name, mail: known } = staff.value
    const to = mail === '' ? known : mail
    if (to === '') return refuse('mail_needed')
    const [before, after] = [{ ...accessOf(staff.value), mail: known }, { mail: to }]
    const requested = await askChange(ctx, tx, {
      mode,
      actor,
      change: { kind: 'reinvite', subject: name, before, after, reason },
    })
    if (!requested.ok) return requested
    await recordAction(tx, ctx, actor, { target: name, reason, outcome: 'done', after: { credentials: 'waits' } })
    return requested
  })
}

/** Requests that a staff member becomes an approver. */
export async function askApprover(
  ctx: Ctx,
  { staffId, reason, mode, actor }: Omit<Edit, 'version'>,
): Promise<Result<RequestedChange, 'not_found' | 'reason_needed' | 'not_yourself' | 'is_approver' | AskRefusal>> {
  if (reason === '') return refuse('reason_needed')
  if (actor.staffId === staffId) return refuse('not_yourself')
  return ctx.db.transaction().execute(async (tx) => {
    const staff = await findStaff(tx, staffId)
    if (!staff) return refuse('not_found')
    if (staff.approverAt !== null) return refuse('is_approver')
    const [before, after] = [accessOf(staff), { approver: true }]
    const change = { kind: 'approver', subject: staff.name, before, after, reason } as const
    const requested = await askChange(ctx, tx, { mode, actor, change })
    if (!requested.ok) return requested
    await recordAction(tx, ctx, actor, { target: staff.name, reason, outcome: 'done', after: { approver: 'waits' } })
    return requested
  })
}

interface StaffEdit extends Edit {
  readonly role: Role
  readonly isBlocked: boolean
}

/**
 * Changes a staff member's role, or blocks or unblocks the staff member. A block, and a role without power, apply at
 * once. A role that decides about money, markets or staff waits for a second approver, and so does unblocking a member
 * with such a role. No staff member can change their own account. So only another owner can block an owner.
 */
export async function changeStaff(
  ctx: Ctx,
  edit: StaffEdit,
): Promise<Result<{ readonly version: number; readonly requested: RequestedChange | null }, ManageRefusal>> {
  const { staffId, version, reason, mode, actor, role, isBlocked } = edit
  if (reason === '') return refuse('reason_needed')
  if (actor.staffId === staffId) return refuse('not_yourself')
  const changed = await ctx.db.transaction().execute(async (tx) => {
    // Two owners who block or demote each other at the same time: only the first one succeeds, so one owner remains.
    const owners = await lockOwners(tx)
    if (actor.staffId !== undefined && !owners.has(actor.staffId)) return refuse('changed_meanwhile')
    const found = await lockVersion(tx, edit)
    if (!found.ok) return found
    const staff = found.value
    const before = accessOf(staff)
    const isMore = !isBlocked && isPowerful(role) && (role !== staff.role || staff.isBlocked)
    if (isMore) {
      const after = { role, is_blocked: isBlocked }
      const change = { kind: 'role', subject: staff.name, before, after, reason } as const
      const requested = await askChange(ctx, tx, { mode, actor, change })
      if (!requested.ok) return requested
      await recordAction(tx, ctx, actor, { target: staff.name, reason, outcome: 'done', after: { waits: after } })
      return ok({ version, requested: requested.value })
    }
    await endApprover(ctx, tx, staff)
    await updateStaff(tx, staffId, { role, isBlocked, version: version + 1 })
    if (isBlocked) await endAccess(tx, staffId)
    await releaseTickets(tx, staffId)
    await recordAction(tx, ctx, actor, {
      target: staff.name,
      reason,
      outcome: 'done',
      before: { version, role: staff.role, isBlocked: staff.isBlocked },
      after: { version: version + 1, role, isBlocked },
    })
    return ok({ version: version + 1, requested: null })
  })
  if (changed.ok) ctx.publish({ kind: 'staff-changed', staffId })
  return changed
}

/** The role and the block of a staff member, as a change stores them. */
export function accessOf({ role, isBlocked }: Pick<StaffAccount, 'role' | 'isBlocked'>) {
  return { role, is_blocked: isBlocked }
}

/** Ends the sessions of a staff member, and makes unfinished log-ins and open invitations invalid. */
export async function endAccess(tx: Tx, staffId: string): Promise<void> {
  await endStaffSessionsOf(tx, staffId)
  await removeTickets(tx, staffId, 'second_step')
  await removeTickets(tx, staffId, 'invitation')
}

/** Publishes in the register that there is one approver less, if the staff member was an approver. */
export async function endApprover(ctx: Ctx, tx: Tx, { approverAt }: Pick<StaffAccount, 'approverAt'>): Promise<void> {
  if (approverAt === null) return
  const now = ctx.now()
  await publishAct(ctx, tx, { what: 'approver_ended', of: 'staff', requestedAt: now, appliesAt: now, people: 1 })
}

async function lockVersion(
  tx: Tx,
  { staffId, version, actor }: Pick<Edit, 'staffId' | 'version' | 'actor'>,
): Promise<Result<StaffAccount, 'not_found' | 'changed_meanwhile'>> {
  const staff = await lockStaff(tx, staffId)
  if (!staff) return refuse('not_found')
  if (staff.version !== version) return staleWriteRefusal(tx, { target: staff.name, seenVersion: version, actor })
  return ok(staff)
}
