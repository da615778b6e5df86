import type { StaffOut } from '#contract/back-office/session.ts'
import { staffCalls } from '#contract/back-office/staff-calls.ts'
import { assert, ok } from '#core/result.ts'
import { HOUR_MS, later, MINUTE_MS, toIso } from '#core/time/instant.ts'
import { isSingleOperator } from '#core/staff/independence.ts'
import { permissionsOf } from '#core/staff/permissions.ts'
import { readApprovers } from '#server/audit/approvers.queries.ts'
import { recordAction } from '#server/audit/record-action.ts'
import type { Passwords } from '#server/platform/credentials/passwords.ts'
import type { RegisterStaff } from '#server/back-office/api/register-staff-call.ts'
import type { Ctx } from '#server/platform/context/context.ts'
import type { Caller } from '#server/platform/http/register-call.ts'
import { newDeviceMail } from '#server/platform/i18n/new-device-mail.ts'
import type { Messenger } from '#server/platform/messenger/messenger.ts'
import { findNewDeviceLogIn } from '#server/back-office/staff/log-ins.queries.ts'
import type { Settings } from '#server/settings/site-settings.ts'
import { joinStaff, openInvitation } from '#server/back-office/staff/join-staff.ts'
import { checkCode, checkPassword } from '#server/back-office/staff/sign-in.ts'
import { findStaff } from '#server/back-office/staff/staff.queries.ts'
import { endStaffSession, type SignedInStaff } from '#server/back-office/staff-sessions/staff-sessions.queries.ts'

/** 72 h: for this time the pages of a staff member show a log-in with a new device. */
const NEW_DEVICE_SHOWN_MS = 72 * HOUR_MS

interface SessionParts {
  readonly ctx: Ctx
  readonly mode: 'demo' | 'live'
  readonly passwords: Passwords
  readonly settings: Settings
  readonly messenger: Messenger
}

/** Registers log-in and log-out of the back office. */
export function staffSessionRoutes(
  register: RegisterStaff,
  { ctx, mode, passwords, settings, messenger }: SessionParts,
): void {
  // Attempts with unknown names are counted, and the server log gets at most one line a minute with the count, so that
  // an attacker cannot fill it.
  let unknownNames = 0
  let loggedAt = Number.NEGATIVE_INFINITY
  const onUnknownName = (): void => {
    unknownNames += 1
    if (ctx.now() - loggedAt < MINUTE_MS) return
    loggedAt = ctx.now()
    ctx.log.warn({ unknownNames }, 'failed back-office log-ins with unknown names')
  }
  const parts = { ctx, passwords, siteName: () => settings.current.siteName, onUnknownName }

  register(staffCalls.staffSignIn, async ({ body, from, device }) => {
    const checked = await checkPassword(parts, body, { ...from, device })
    if (!checked.ok) return checked
    const { ticket, demoCode } = checked.value
    return ok({ ticket, demo_code: demoCode })
  })
  register(staffCalls.staffSignInCode, async ({ body, from, device }) => {
    const checked = await checkCode(parts, body, { ...from, device })
    if (!checked.ok) return checked
    const { staffId, token, device: newDevice, session, isNewDevice } = checked.value
    if (isNewDevice) await mailNewDevice(staffId, from)
    return { ok: true, value: await describe({ staffId, sessionId: session }), session: token, device: newDevice }
  })
  register(staffCalls.staffOpenInvitation, async ({ body }) => openInvitation(parts, body.token))
  register(staffCalls.staffJoin, async ({ body, from }) => joinStaff(parts, { ...body, address: from.address }))
  register(staffCalls.staffSignOut, async ({ staff, actor }) => {
    await ctx.db.transaction().execute(async (tx) => {
      await endStaffSession(tx, { sessionId: staff.sessionId })
      await recordAction(tx, ctx, actor, { target: staff.name, outcome: 'done' })
    })
    ctx.publish({ kind: 'staff-changed', staffId: staff.staffId })
    return { ok: true, value: null, session: null }
  })
  register(staffCalls.staffMe, async ({ staff }) => ok(staff && (await describe(staff))))

  async function describe({ staffId, sessionId }: Pick<SignedInStaff, 'staffId' | 'sessionId'>): Promise<StaffOut> {
    const staff = await findStaff(ctx.db, staffId)
    assert(staff, 'whoever is signed in is there')
    const since = later(ctx.now(), -NEW_DEVICE_SHOWN_MS)
    const found = await findNewDeviceLogIn(ctx.db, { name: staff.name, since, exceptSession: sessionId })
    return {
      id: staff.id,
      name: staff.name,
      role: staff.role,
      permissions: permissionsOf(staff.role),
      is_demo: mode === 'demo',
      is_single_operator: isSingleOperator((await readApprovers(ctx, ctx.db)).byId.size),
      site_name: settings.current.siteName,
      new_device: found && { at: toIso(found.at), device: found.device, address: found.address },
    }
  }

  /** Mails a staff member about a log-in with a new device. A mailbox that fails must not prevent the log-in. */
  async function mailNewDevice(staffId: string, { userAgent, address }: Caller): Promise<void> {
    const staff = await findStaff(ctx.db, staffId)
    if (staff === null || staff.mail === '') return
    const site = settings.current.siteName
    const mail = newDeviceMail({ site, name: staff.name, userAgent, address, at: ctx.now() })
    try {
      await messenger.send({ to: staff.mail, kind: 'staff_new_device', ...mail, code: '' })
    } catch (error) {
      ctx.log.warn({ err: error }, 'a staff member could not be told of a new device')
    }
  }
}
