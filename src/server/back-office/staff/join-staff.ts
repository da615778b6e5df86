import { type Result, ok, refuse } from '#core/result.ts'
import { DAY_MS } from '#core/time/instant.ts'
import { publishAct } from '#server/audit/changes/publish-act.ts'
import { type Actor, recordAction } from '#server/audit/record-action.ts'
import { strangerAsker } from '#server/platform/limits/fair-queue.ts'
import type { Passwords } from '#server/platform/credentials/passwords.ts'
import { makeSecret, matchTotpStep, secretUri } from '#server/platform/credentials/totp.ts'
import type { Ctx } from '#server/platform/context/context.ts'
import type { Tx } from '#server/platform/database/tables.ts'
import { staffSecretPlace } from '#server/platform/encryption/sealed-details.ts'
import { attemptsWereRight, consumeAttempts } from '#server/platform/limits/attempt-limits.ts'
import {
  findStaff,
  hasActiveOwner,
  insertStaff,
  isOwnerTooMany,
  lockStaff,
  setCredentials,
} from '#server/back-office/staff/staff.queries.ts'
import { issueTicket, lockTicket, removeTickets } from '#server/back-office/staff/staff-tickets.ts'

/** How long the link of an invitation works. */
export const INVITATION_MS = 3 * DAY_MS

/**
 * Creates an owner for the command line and returns the token of an invitation. This is refused if an owner can log in,
 * so that the command cannot bypass owners. The new owner is not an approver, and the register publishes the act.
 */
export async function createOwner(
  ctx: Ctx,
  { name, actor }: { readonly name: string; readonly actor: Actor },
): Promise<Result<{ readonly token: string }, 'staff_name_taken' | 'owner_exists'>> {
  const staffId = ctx.newId()
  const now = ctx.now()
  return ctx.db.transaction().execute(async (tx) => {
    if (await hasActiveOwner(tx)) return refuse('owner_exists')
    const isNew = await insertStaff(tx, { id: staffId, name, role: 'owner', createdAt: now })
    if (!isNew) return refuse('staff_name_taken')
    const token = await issueInvitation(ctx, tx, staffId)
    await publishAct(ctx, tx, { what: 'owner_created', of: 'staff', requestedAt: now, appliesAt: now, people: 1 })
    await recordAction(tx, ctx, actor, { target: name, outcome: 'done', after: { role: 'owner' } })
    return ok({ token })
  })
}

/** Creates an invitation with a new authenticator secret. Earlier invitations stop working. */
export async function issueInvitation(ctx: Ctx, tx: Tx, staffId: string): Promise<string> {
  await removeTickets(tx, staffId, 'invitation')
  const secret = makeSecret((count) => ctx.randomBytes(count))
  const totpSecret = ctx.vault.encrypt(secret, staffSecretPlace(staffId))
  return issueTicket(ctx, tx, { staffId, kind: 'invitation', totpSecret, livesMs: INVITATION_MS })
}

interface JoinParts {
  readonly ctx: Ctx
  readonly passwords: Passwords
  readonly siteName: () => string
}

/** Returns the data that an invited person enters in the authenticator app. */
export async function openInvitation(
  { ctx, siteName }: Pick<JoinParts, 'ctx' | 'siteName'>,
  token: string,
): Promise<Result<{ readonly name: string; readonly secret: string; readonly uri: string }, 'staff_ticket_over'>> {
  return ctx.db.transaction().execute(async (tx) => {
    const ticket = await lockTicket(ctx, tx, token, 'invitation')
    const staff = ticket && (await findStaff(tx, ticket.staffId))
    if (!staff || ticket.totpSecret === null || (await isOwnerTooMany(tx, staff.id))) return refuse('staff_ticket_over')
    const secret = ctx.vault.decrypt(ticket.totpSecret, staffSecretPlace(staff.id))
    const uri = secretUri(secret, { issuer: `${siteName()} back office`, name: staff.name })
    return ok({ name: staff.name, secret, uri })
  })
}

interface Joining {
  readonly token: string
  readonly password: string
  readonly code: string
  readonly address: string
}

/**
 * Accepts an invitation with a password and a code of the authenticator app. One step needs both, so no staff member
 * can skip the authenticator.
 */
export async function joinStaff(
  { ctx, passwords }: JoinParts,
  { token, password, code, address }: Joining,
): Promise<Result<{ readonly name: string }, 'staff_ticket_over' | 'staff_code_wrong' | 'too_many_attempts'>> {
  // The invitation is checked first, so that a caller without one causes no slow hash.
  const invited = await ctx.db.transaction().execute(async (tx) => {
    const ticket = await lockTicket(ctx, tx, token, 'invitation')
    return ticket === null || (await isOwnerTooMany(tx, ticket.staffId)) ? null : ticket
  })
  if (invited === null) return refuse('staff_ticket_over')
  const attempts = [{ limit: 'staff_code', key: invited.staffId }] as const
  const wait = await consumeAttempts(ctx, attempts)
  if (wait > 0) return refuse('too_many_attempts', { params: { seconds: wait } })
  const passwordHash = await passwords.hash(password, strangerAsker(address))
  const joined = await ctx.db.transaction().execute(async (tx) => {
    const staff = await lockStaff(tx, invited.staffId)
    const ticket = await lockTicket(ctx, tx, token, 'invitation')
    if (!ticket || !staff || ticket.totpSecret === null || staff.isBlocked) return refuse('staff_ticket_over')
    if (await isOwnerTooMany(tx, staff.id)) return refuse('staff_ticket_over')
    const { totpSecret } = ticket
    const step = matchTotpStep(ctx.vault.decrypt(totpSecret, staffSecretPlace(staff.id)), code, ctx.now())
    if (step === null) return refuse('staff_code_wrong')
    await setCredentials(tx, staff.id, { passwordHash, totpSecret, step, at: ctx.now() })
    await removeTickets(tx, staff.id, 'invitation')
    const actor = { who: staff.name, what: 'join', staffId: staff.id, address }
    await recordAction(tx, ctx, actor, { target: staff.name, outcome: 'done' })
    return ok({ name: staff.name })
  })
  if (joined.ok) await attemptsWereRight(ctx, attempts)
  return joined
}
