import { deviceName } from '#core/accounts/device-name.ts'
import { assert, type Result, ok, refuse } from '#core/result.ts'
import { MINUTE_MS } from '#core/time/instant.ts'
import { type Attempt, attemptsWereRight, consumeAttempts } from '#server/platform/limits/attempt-limits.ts'
import { strangerAsker } from '#server/platform/limits/fair-queue.ts'
import { subnetOf } from '#server/platform/limits/subnet.ts'
import type { Passwords } from '#server/platform/credentials/passwords.ts'
import { recordAction } from '#server/audit/record-action.ts'
import type { Ctx } from '#server/platform/context/context.ts'
import type { Caller } from '#server/platform/http/register-call.ts'
import { staffSecretPlace } from '#server/platform/encryption/sealed-details.ts'
import { codeAt, matchTotpStep } from '#server/platform/credentials/totp.ts'
import { hashToken, makeToken } from '#server/platform/credentials/session-token.ts'
import {
  hasLoggedInBefore,
  knownStaffDevice,
  rememberStaffDevice,
} from '#server/back-office/staff-sessions/staff-devices.queries.ts'
import { openStaffSession } from '#server/back-office/staff-sessions/open-staff-session.ts'
import { findStaffByName, lockStaff, takeCodeStep } from '#server/back-office/staff/staff.queries.ts'
import { issueTicket, lockTicket, removeTickets } from '#server/back-office/staff/staff-tickets.ts'

const TICKET_MS = 5 * MINUTE_MS

export interface SignInParts {
  readonly ctx: Ctx
  readonly passwords: Passwords
  /** Called when a log-in fails because no staff member has the name. */
  readonly onUnknownName: () => void
}

/** The caller of a log-in, with the device token from the cookie, if there is one. */
export type StaffCaller = Caller & { readonly device: string | null }

export interface SecondStep {
  readonly ticket: string
  readonly demoCode: string | null
}

/**
 * Checks name and password, the first step of a log-in. Names that are unknown, blocked or not yet joined get the same
 * reply as a wrong password, after the same time.
 */
export async function checkPassword(
  { ctx, passwords, onUnknownName }: SignInParts,
  given: { readonly name: string; readonly password: string },
  from: StaffCaller,
): Promise<
  Result<SecondStep, 'credentials_wrong' | 'too_many_attempts' | 'demo_staff_local_only' | 'enrolment_needed'>
> {
  const staff = await findStaffByName(ctx.db, given.name)
  const known = await knownStaffDevice(ctx.db, staff?.id ?? UNKNOWN_STAFF_ID, from.device)
  const name = given.name.toLowerCase()
  // A known device has a limit of its own, so that attackers on other devices cannot lock the staff member out.
  const attempts: Attempt[] =
    known === null
      ? [
          { limit: 'staff_network', key: subnetOf(from.address) },
          { limit: 'staff_name', key: name },
        ]
      : [{ limit: 'staff_device', key: `${name}:${known}` }]
  const wait = await consumeAttempts(ctx, attempts)
  if (wait > 0) return refuse('too_many_attempts', { params: { seconds: wait } })

  const isRight = await passwords.verify(staff?.passwordHash ?? null, given.password, strangerAsker(from.address))
  if (!staff || !isRight || staff.isBlocked) {
    // Only failures of existing names enter the audit log, because its entries stay for ever and must not contain an
    // attacker's text.
    if (staff)
      await recordAction(ctx.db, ctx, { who: staff.name, what: 'sign-in', address: from.address }, refused(from))
    else onUnknownName()
    return refuse('credentials_wrong')
  }
  // The passwords of the demo accounts are public, so these accounts can log in only from the server's own machine.
  if (staff.isDemo && !from.isLocal) return refuse('demo_staff_local_only')
  await attemptsWereRight(ctx, attempts)

  // An authenticator is set up when a person joins. The password alone cannot add one.
  if (staff.totpSecret === null) return refuse('enrolment_needed')
  const secret = ctx.vault.decrypt(staff.totpSecret, staffSecretPlace(staff.id))
  const step = { staffId: staff.id, kind: 'second_step', totpSecret: null, livesMs: TICKET_MS } as const
  const ticket = await issueTicket(ctx, ctx.db, step)
  return ok({ ticket, demoCode: staff.isDemo ? codeAt(secret, ctx.now()) : null })
}

/** The id that is looked up when no staff member has the name, so that both cases take equally long. */
const UNKNOWN_STAFF_ID = '00000000-0000-0000-0000-000000000000'
function refused({ userAgent }: StaffCaller) {
  return { target: '', outcome: 'refused', after: { device: deviceName(userAgent) } } as const
}

/** Checks the code, the second step. Opens the session and returns its token and staff member. Each code works once. */
export async function checkCode(
  { ctx }: SignInParts,
  given: { readonly ticket: string; readonly code: string },
  from: StaffCaller,
): Promise<
  Result<
    { token: string; staffId: string; session: string; device: string; isNewDevice: boolean },
    'staff_code_wrong' | 'staff_ticket_over' | 'too_many_attempts'
  >
> {
  const found = await ctx.db.transaction().execute((tx) => lockTicket(ctx, tx, given.ticket, 'second_step'))
  if (found === null) return refuse('staff_ticket_over')
  const known = await knownStaffDevice(ctx.db, found.staffId, from.device)
  const attempts: Attempt[] = [
    known === null
      ? { limit: 'staff_code', key: found.staffId }
      : { limit: 'staff_code_device', key: `${found.staffId}:${known}` },
  ]
  const wait = await consumeAttempts(ctx, attempts)
  if (wait > 0) return refuse('too_many_attempts', { params: { seconds: wait } })

  const opened = await ctx.db.transaction().execute(async (tx) => {
    // The staff row is locked before the ticket: this call also removes the tickets of other log-ins of the same
    // person, so another sequence could deadlock.
    const staff = await lockStaff(tx, found.staffId)
    const ticket = await lockTicket(ctx, tx, given.ticket, 'second_step')
    if (!ticket || !staff || staff.isBlocked) return refuse('staff_ticket_over')
    if (staff.totpSecret === null) return refuse('staff_ticket_over')
    const secret = ctx.vault.decrypt(staff.totpSecret, staffSecretPlace(staff.id))
    const step = matchTotpStep(secret, given.code, ctx.now())
    if (step === null || !(await takeCodeStep(tx, staff.id, step))) {
      await recordAction(tx, ctx, { who: staff.name, what: 'sign-in/code', address: from.address }, refused(from))
      return refuse('staff_code_wrong')
    }
    await removeTickets(tx, staff.id, 'second_step')
    const { id: session, token } = await openStaffSession(ctx, tx, staff.id, from)
    // At the first log-in there is no earlier device to compare with.
    const isNewDevice = known === null && (await hasLoggedInBefore(tx, staff.id))
    const actor = { who: staff.name, what: 'sign-in', staffId: staff.id, address: from.address }
    await recordAction(tx, ctx, actor, {
      target: staff.name,
      outcome: 'done',
      after: { device: deviceName(from.userAgent), isNewDevice, session },
    })
    const device = known !== null && from.device !== null ? from.device : makeToken((count) => ctx.randomBytes(count))
    const deviceHash = hashToken(device)
    assert(deviceHash, 'a token we make can be read')
    await rememberStaffDevice(tx, staff.id, deviceHash, ctx.now())
    return ok({ token, staffId: staff.id, session, device, isNewDevice })
  })
  if (opened.ok) await attemptsWereRight(ctx, attempts)
  return opened
}
