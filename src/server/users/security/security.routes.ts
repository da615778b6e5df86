import type { SignInRow } from '#contract/security.ts'
import { calls } from '#contract/calls.ts'
import { deviceName } from '#core/accounts/device-name.ts'
import { ok, refuse } from '#core/result.ts'
import { instant, toIso } from '#core/time/instant.ts'
import { consumeAttempt } from '#server/platform/limits/attempt-limits.ts'
import { deleteOtherSessions, deleteSession } from '#server/users/sessions/sessions.queries.ts'
import type { AuthenticatedUser } from '#server/platform/http/signed-in.ts'
import type { Passwords } from '#server/platform/credentials/passwords.ts'
import { answer } from '#server/platform/http/answer.ts'
import type { Register } from '#server/platform/http/register-call.ts'
import { confirm, needsConfirmation } from '#server/users/security/confirm-identity.ts'
import { listSignIns, markSignInsNoticed, type SignInWay } from '#server/users/sessions/devices.queries.ts'
import { findFactors, hasSecondStep, renamePasskey } from '#server/users/security/factors.queries.ts'
import {
  addPasskey,
  beginAuthenticator,
  removePasskey,
  renewRecoveryCodes,
  turnOffAuthenticator,
  turnOnAuthenticator,
} from '#server/users/security/manage-factors.ts'
import { creationTask, passkeySite, useTask } from '#server/users/security/passkeys.ts'
import { withdrawalsWaitUntil } from '#server/users/security/security-change.queries.ts'
import type { SignInParts } from '#server/users/security/sign-in-parts.ts'
import { issueTicket } from '#server/users/security/tickets.ts'
import { listUserSessions } from '#server/users/sessions/user-sessions.ts'

const SIGN_INS_SHOWN = 30

/** Registers the calls for a user's log-in security, sessions and devices. */
export function securityRoutes(register: Register, parts: SignInParts & { readonly passwords: Passwords }): void {
  const { ctx, settings, signIns, passwords, publicUrl } = parts
  /** A change of the second step always requires confirmation, even for accounts without one. */
  const unconfirmed = (user: AuthenticatedUser) => needsConfirmation(ctx, user, { always: true })

  register(calls.security, async ({ user }) => {
    const { userId } = user
    const factors = await findFactors(ctx.db, userId)
    const pause = { hours: settings.current.withdrawalPauseHours, now: ctx.now() }
    const waitsUntil = await withdrawalsWaitUntil(ctx.db, userId, pause)
    const sessions = await listUserSessions(ctx.db, userId, ctx.now())
    const signInRows = async (onlyNew: boolean) =>
      (await listSignIns(ctx.db, userId, { limit: SIGN_INS_SHOWN, onlyNew })).map(toRow)
    return answer({
      authenticator: factors.authenticator,
      passkeys: factors.passkeys.map(({ id, name, createdAt, usedAt }) => ({
        id,
        name,
        created_at: toIso(createdAt),
        used_at: usedAt === null ? null : toIso(usedAt),
      })),
      recovery_codes_left: factors.recoveryCodes,
      sessions: sessions.map((one) => ({
        id: one.id,
        device: deviceName(one.userAgent),
        address: one.address,
        opened_at: toIso(one.createdAt),
        seen_at: toIso(one.seenAt),
        is_this: Buffer.compare(one.tokenHash, user.tokenHash) === 0,
      })),
      sign_ins: await signInRows(false),
      new_devices: await signInRows(true),
      withdrawals_from: waitsUntil === null ? null : toIso(waitsUntil),
    })
  })

  register(calls.securityConfirm, async ({ user, body, from }) => {
    const proof = { password: body.password ?? null, code: body.code ?? null, passkey: body.passkey ?? null }
    const site = passkeySite(publicUrl, from.origin)
    const done = await confirm({ ctx, passwords, site }, user, { proof, address: from.address })
    return done.ok ? answer({ confirmed_until: toIso(done.value) }) : done
  })

  register(calls.securityPasskeyTask, async ({ user, body, from }) => {
    const { userId } = user
    const wait = await consumeAttempt(ctx, { limit: 'passkey_task', key: userId })
    if (wait > 0) return refuse('too_many_attempts', { params: { seconds: wait } })
    const site = passkeySite(publicUrl, from.origin)
    if (site === null) return refuse('passkeys_here_not')
    if (body.use === 'add' && (await unconfirmed(user))) return refuse('confirmation_needed')
    const { passkeys } = await findFactors(ctx.db, userId)
    const { siteName } = settings.current
    const options =
      body.use === 'add'
        ? await creationTask(ctx, site, { id: userId, name: user.username, siteName, passkeys })
        : await useTask(ctx, site, passkeys)
    const { challenge } = options
    const ticket = await issueTicket(ctx, ctx.db, `passkey_${body.use}`, { userId, challenge })
    return answer({ ticket, options: { ...options } })
  })

  register(calls.addPasskey, async ({ user, body, from }) => {
    if (await unconfirmed(user)) return refuse('confirmation_needed')
    const added = await addPasskey(ctx, passkeySite(publicUrl, from.origin), { ...body, userId: user.userId })
    if (!added.ok) return added
    signIns.notify(user.userId, 'passkey_added')
    return answer({ recovery_codes: added.value })
  })
  register(calls.renamePasskey, async ({ user, params, body }) => {
    const isDone = await renamePasskey(ctx.db, { userId: user.userId, id: params.id }, body.name)
    return isDone ? answer({}) : refuse('not_found')
  })
  register(calls.removePasskey, async ({ user, params }) => {
    if (await unconfirmed(user)) return refuse('confirmation_needed')
    if (!(await removePasskey(ctx, { userId: user.userId, id: params.id }))) return refuse('not_found')
    signIns.notify(user.userId, 'passkey_removed')
    return answer({})
  })

  register(calls.beginAuthenticator, async ({ user }) => {
    if (await unconfirmed(user)) return refuse('confirmation_needed')
    const { siteName: issuer } = settings.current
    const begun = await beginAuthenticator(ctx, { userId: user.userId, name: user.username, issuer })
    return begun.ok ? answer(begun.value) : begun
  })
  register(calls.turnOnAuthenticator, async ({ user, body }) => {
    if (await unconfirmed(user)) return refuse('confirmation_needed')
    const done = await turnOnAuthenticator(ctx, user.userId, body.code)
    if (!done.ok) return done
    signIns.notify(user.userId, 'authenticator_on')
    return answer({ recovery_codes: done.value })
  })
  register(calls.turnOffAuthenticator, async ({ user }) => {
    if (await unconfirmed(user)) return refuse('confirmation_needed')
    if (await turnOffAuthenticator(ctx, user.userId)) signIns.notify(user.userId, 'authenticator_off')
    return answer({})
  })
  register(calls.renewRecoveryCodes, async ({ user }) => {
    if (await unconfirmed(user)) return refuse('confirmation_needed')
    if (!hasSecondStep(await findFactors(ctx.db, user.userId))) return refuse('second_step_missing')
    const done = await renewRecoveryCodes(ctx, user.userId)
    if (!done.ok) return done
    signIns.notify(user.userId, 'recovery_renewed')
    return answer({ recovery_codes: done.value })
  })

  register(calls.endSession, async ({ user, params }) => {
    const { userId } = user
    const session = (await listUserSessions(ctx.db, userId, ctx.now())).find(({ id }) => id === params.id)
    if (!session) return refuse('not_found')
    await deleteSession(ctx.db, session.tokenHash)
    ctx.publish({ kind: 'session-ended', userId, tokenHash: session.tokenHash })
    return answer({})
  })
  register(calls.endOtherSessions, async ({ user }) => {
    const { userId, tokenHash } = user
    const endedHashes = await ctx.db.transaction().execute((tx) => deleteOtherSessions(tx, userId, tokenHash))
    for (const other of endedHashes) ctx.publish({ kind: 'session-ended', userId, tokenHash: other })
    return answer({ ended: endedHashes.length })
  })
  register(calls.noticeSignIns, async ({ user }) => {
    await markSignInsNoticed(ctx.db, user.userId)
    return ok({})
  })
}

const WAYS: Readonly<Record<string, SignInWay>> = {
  password: 'password',
  code: 'code',
  recovery: 'recovery',
  passkey: 'passkey',
}

function toRow(row: Awaited<ReturnType<typeof listSignIns>>[number]): SignInRow {
  return {
    id: row.id,
    at: toIso(instant(row.at_ms)),
    device: deviceName(row.user_agent),
    address: row.address,
    how: WAYS[row.how] ?? 'password',
    went_in: row.went_in,
    is_new_device: row.is_new_device,
  }
}
