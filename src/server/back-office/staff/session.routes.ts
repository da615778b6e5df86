import type { StaffOut } from '#contract/back-office/session.ts'
import { staffCalls } from '#contract/back-office/staff-calls.ts'
import { assert, ok } from '#core/result.ts'
import { MINUTE_MS } from '#core/time/instant.ts'
import { permissionsOf } from '#core/staff/permissions.ts'
import { recordAction } from '#server/audit/record-action.ts'
import type { Passwords } from '#server/platform/credentials/passwords.ts'
import type { RegisterStaff } from '#server/back-office/api/register-staff-call.ts'
import type { Ctx } from '#server/platform/context/context.ts'
import type { Settings } from '#server/settings/site-settings.ts'
import { joinStaff, openInvitation } from '#server/back-office/staff/join-staff.ts'
import { checkCode, checkPassword } from '#server/back-office/staff/sign-in.ts'
import { findStaff } from '#server/back-office/staff/staff.queries.ts'
import { endStaffSession } from '#server/back-office/staff-sessions/staff-sessions.queries.ts'

interface SessionParts {
  readonly ctx: Ctx
  readonly mode: 'demo' | 'live'
  readonly passwords: Passwords
  readonly settings: Settings
}

/** Registers log-in and log-out of the back office. */
export function staffSessionRoutes(register: RegisterStaff, { ctx, mode, passwords, settings }: SessionParts): void {
  // Counted and logged in one line, so that an attacker cannot fill stored logs.
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
    return {
      ok: true,
      value: await describe(checked.value.staffId),
      session: checked.value.token,
      device: checked.value.device,
    }
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
  register(staffCalls.staffMe, async ({ staff }) => ok(staff && (await describe(staff.staffId))))

  async function describe(staffId: string): Promise<StaffOut> {
    const staff = await findStaff(ctx.db, staffId)
    assert(staff, 'whoever is signed in is there')
    return {
      id: staff.id,
      name: staff.name,
      role: staff.role,
      permissions: permissionsOf(staff.role),
      is_demo: mode === 'demo',
      site_name: settings.current.siteName,
    }
  }
}
