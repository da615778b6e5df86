import { type Result, ok, refuse } from '#core/result.ts'
import { DAY_MS } from '#core/time/instant.ts'
import { type Actor, recordAction } from '#server/audit/record-action.ts'
import { strangerAsker } from '#server/platform/limits/fair-queue.ts'
import type { Passwords } from '#server/platform/credentials/passwords.ts'
import type { Ctx } from '#server/platform/context/context.ts'
import type { Tx } from '#server/platform/database/tables.ts'
import type { Role } from '#core/staff/permissions.ts'
import { findStaff, insertStaff, setStaffPassword } from '#server/back-office/staff/staff.queries.ts'
import { issueTicket, lockTicket, removeTickets } from '#server/back-office/staff/staff-tickets.ts'

const INVITATION_MS = 3 * DAY_MS

/** Creates a staff member and returns the token of an invitation. The invited person chooses the password. */
export async function inviteStaff(
  ctx: Ctx,
  { name, role, actor }: { readonly name: string; readonly role: Role; readonly actor: Actor },
): Promise<Result<{ readonly staffId: string; readonly token: string }, 'staff_name_taken'>> {
  const staffId = ctx.newId()
  return ctx.db.transaction().execute(async (tx) => {
    if (!(await insertStaff(tx, { id: staffId, name, role, createdAt: ctx.now() }))) return refuse('staff_name_taken')
    const token = await issueInvitation(ctx, tx, staffId)
    await recordAction(tx, ctx, actor, { target: name, outcome: 'done', after: { role } })
    return ok({ staffId, token })
  })
}

/** Creates an invitation for an existing staff member. Earlier invitations stop working. */
export async function issueInvitation(ctx: Ctx, tx: Tx, staffId: string): Promise<string> {
  await removeTickets(tx, staffId, 'invitation')
  return issueTicket(ctx, tx, { staffId, kind: 'invitation', totpSecret: null, livesMs: INVITATION_MS })
}

/** Accepts an invitation with the chosen password. */
export async function joinStaff(
  { ctx, passwords }: { readonly ctx: Ctx; readonly passwords: Passwords },
  { token, password, address }: { readonly token: string; readonly password: string; readonly address: string },
): Promise<Result<{ readonly name: string }, 'staff_ticket_over'>> {
  // The invitation is checked first, so that a caller without one causes no slow hash.
  const invited = await ctx.db.transaction().execute((tx) => lockTicket(ctx, tx, token, 'invitation'))
  if (invited === null) return refuse('staff_ticket_over')
  const passwordHash = await passwords.hash(password, strangerAsker(address))
  return ctx.db.transaction().execute(async (tx) => {
    const ticket = await lockTicket(ctx, tx, token, 'invitation')
    const staff = ticket && (await findStaff(tx, ticket.staffId))
    if (!staff) return refuse('staff_ticket_over')
    await setStaffPassword(tx, staff.id, passwordHash)
    await removeTickets(tx, staff.id, 'invitation')
    const actor = { who: staff.name, what: 'join', staffId: staff.id, address }
    await recordAction(tx, ctx, actor, { target: staff.name, outcome: 'done' })
    return ok({ name: staff.name })
  })
}
