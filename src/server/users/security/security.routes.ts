import { calls } from '#contract/calls.ts'
import { toIso } from '#core/time/instant.ts'
import type { Passwords } from '#server/platform/credentials/passwords.ts'
import { answer } from '#server/platform/http/answer.ts'
import type { Register } from '#server/platform/http/register-call.ts'
import { confirm } from '#server/users/security/confirm-identity.ts'
import { findFactors } from '#server/users/security/factors.queries.ts'
import { passkeySite } from '#server/users/security/passkeys.ts'
import { withdrawalsWaitUntil } from '#server/users/security/security-change.queries.ts'
import { toPasskeyReply, toSessionReply, toSignInReply } from '#server/users/security/security-reply.ts'
import type { SignInParts } from '#server/users/security/sign-in-parts.ts'
import { listSignIns } from '#server/users/sessions/devices.queries.ts'
import { listUserSessions } from '#server/users/sessions/user-sessions.ts'

const SIGN_INS_SHOWN = 30

interface SecurityParts extends Omit<SignInParts, 'signIns'> {
  readonly passwords: Passwords
}

/**
 * Registers two calls: the overview of a user's log-in security, and the confirmation that is needed before changing
 * it.
 */
export function securityRoutes(register: Register, { ctx, settings, passwords, publicUrl }: SecurityParts): void {
  register(calls.security, async ({ user }) => {
    const { userId } = user
    const factors = await findFactors(ctx.db, userId)
    const pause = { hours: settings.current.withdrawalPauseHours, now: ctx.now() }
    const waitsUntil = await withdrawalsWaitUntil(ctx.db, userId, pause)
    const sessions = await listUserSessions(ctx.db, userId, ctx.now())
    const signIns = async (onlyNew: boolean) =>
      (await listSignIns(ctx.db, userId, { limit: SIGN_INS_SHOWN, onlyNew })).map(toSignInReply)
    return answer({
      authenticator: factors.authenticator,
      passkeys: factors.passkeys.map(toPasskeyReply),
      recovery_codes_left: factors.recoveryCodes,
      sessions: sessions.map((session) => toSessionReply(session, user.tokenHash)),
      sign_ins: await signIns(false),
      new_devices: await signIns(true),
      withdrawals_from: waitsUntil === null ? null : toIso(waitsUntil),
    })
  })

  register(calls.securityConfirm, async ({ user, body, from }) => {
    const proof = { password: body.password ?? null, code: body.code ?? null, passkey: body.passkey ?? null }
    const site = passkeySite(publicUrl, from.origin)
    const done = await confirm({ ctx, passwords, site }, user, { proof, address: from.address })
    return done.ok ? answer({ confirmed_until: toIso(done.value) }) : done
  })
}
