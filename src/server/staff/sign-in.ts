import { type Result, ok, refuse } from '#core/result.ts'
import { MINUTE_MS } from '#core/time/instant.ts'
import { forgiveAttempts, giveBackAttempt, takeAttempt } from '#server/auth/attempts.ts'
import type { Passwords } from '#server/auth/passwords.ts'
import { recordAction } from '#server/audit/record-action.ts'
import type { Ctx } from '#server/context.ts'
import type { Caller } from '#server/http/register-call.ts'
import { staffSecretPlace } from '#server/secrets/sealed-details.ts'
import { codeAt, makeSecret, secretUri, stepOfCode } from '#server/auth/authenticator-code.ts'
import { openStaffSession } from '#server/staff/open-staff-session.ts'
import { findStaff, findStaffByName, takeCodeStep } from '#server/staff/staff.queries.ts'
import { issueTicket, lockTicket, removeTickets } from '#server/staff/staff-tickets.ts'

const WINDOW = { windowMs: 15 * MINUTE_MS, lockMs: 15 * MINUTE_MS }
const WRONG_PASSWORDS_PER_NAME = 10
const WRONG_PASSWORDS_PER_ADDRESS = 30
const WRONG_CODES = 5
const TICKET_MS = 5 * MINUTE_MS

export interface SignInParts {
  readonly ctx: Ctx
  readonly passwords: Passwords
  readonly siteName: () => string
}

export interface SecondStep {
  readonly ticket: string
  readonly enrol: { readonly secret: string; readonly uri: string } | null
  readonly demoCode: string | null
}

/**
 * First step: a name and its password. A name nobody has, one that is blocked and one that has not joined yet are
 * answered as a wrong password is, and take as long.
 */
export async function checkPassword(
  { ctx, passwords, siteName }: SignInParts,
  given: { readonly name: string; readonly password: string },
  from: Caller,
): Promise<Result<SecondStep, 'credentials_wrong' | 'too_many_attempts' | 'demo_staff_local_only'>> {
  const byName = `staff:name:${given.name.toLowerCase()}`
  const byAddress = `staff:address:${from.address}`
  const wait =
    (await takeAttempt(ctx, byAddress, { ...WINDOW, limit: WRONG_PASSWORDS_PER_ADDRESS })) ||
    (await takeAttempt(ctx, byName, { ...WINDOW, limit: WRONG_PASSWORDS_PER_NAME }))
  if (wait > 0) return refuse('too_many_attempts', { params: { seconds: wait } })

  const staff = await findStaffByName(ctx.db, given.name)
  const isRight = await passwords.verify(staff?.passwordHash ?? null, given.password)
  if (!staff || !isRight || staff.isBlocked) {
    await recordAction(ctx.db, ctx, { who: given.name, what: 'sign-in', address: from.address }, REFUSED)
    return refuse('credentials_wrong')
  }
  // Everyone can read the demo's passwords: they open nothing to strangers.
  if (staff.isDemo && !from.isLocal) return refuse('demo_staff_local_only')
  await forgiveAttempts(ctx, byName)
  await giveBackAttempt(ctx, byAddress)

  const place = staffSecretPlace(staff.id)
  const isFirst = staff.totpSecret === null
  const secret =
    staff.totpSecret === null ? makeSecret((count) => ctx.randomBytes(count)) : ctx.vault.open(staff.totpSecret, place)
  const ticket = await issueTicket(ctx, ctx.db, {
    staffId: staff.id,
    kind: 'second_step',
    totpSecret: isFirst ? ctx.vault.seal(secret, place) : null,
    livesMs: TICKET_MS,
  })
  const uri = secretUri(secret, { issuer: `${siteName()} back office`, name: staff.name })
  return ok({
    ticket,
    enrol: isFirst ? { secret, uri } : null,
    demoCode: staff.isDemo ? codeAt(secret, ctx.now()) : null,
  })
}

const REFUSED = { target: '', outcome: 'refused' } as const

/** Second step: the code. Opens the session and answers its token and whose it is. Each code works once. */
export async function checkCode(
  { ctx }: SignInParts,
  given: { readonly ticket: string; readonly code: string },
  from: Caller,
): Promise<Result<{ token: string; staffId: string }, 'staff_code_wrong' | 'staff_ticket_over' | 'too_many_attempts'>> {
  const found = await ctx.db.transaction().execute((tx) => lockTicket(ctx, tx, given.ticket, 'second_step'))
  if (found === null) return refuse('staff_ticket_over')
  const attempts = `staff:code:${found.staffId}`
  const wait = await takeAttempt(ctx, attempts, { ...WINDOW, limit: WRONG_CODES })
  if (wait > 0) return refuse('too_many_attempts', { params: { seconds: wait } })

  const opened = await ctx.db.transaction().execute(async (tx) => {
    const ticket = await lockTicket(ctx, tx, given.ticket, 'second_step')
    const staff = ticket && (await findStaff(tx, ticket.staffId))
    if (!ticket || !staff || staff.isBlocked) return refuse('staff_ticket_over')
    const sealed = staff.totpSecret ?? ticket.totpSecret
    if (sealed === null) return refuse('staff_code_wrong')
    const step = stepOfCode(ctx.vault.open(sealed, staffSecretPlace(staff.id)), given.code, ctx.now())
    if (step === null) return refuse('staff_code_wrong')
    if (!(await takeCodeStep(tx, staff.id, { step, sealed }))) return refuse('staff_code_wrong')
    await removeTickets(tx, staff.id, 'second_step')
    const token = await openStaffSession(ctx, tx, staff.id, from)
    const actor = { who: staff.name, what: 'sign-in', staffId: staff.id, address: from.address }
    await recordAction(tx, ctx, actor, { target: staff.name, outcome: 'done' })
    return ok({ token, staffId: staff.id })
  })
  if (opened.ok) await forgiveAttempts(ctx, attempts)
  return opened
}
