import { calls } from '#contract/calls.ts'
import { refuse } from '#core/result.ts'
import { answer } from '#server/platform/http/answer.ts'
import type { Register } from '#server/platform/http/register-call.ts'
import { consumeAttempt } from '#server/platform/limits/attempt-limits.ts'
import { needsConfirmation } from '#server/users/security/confirm-identity.ts'
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
import { requireConfirmation } from '#server/users/security/require-confirmation.ts'
import type { SignInParts } from '#server/users/security/sign-in-parts.ts'
import { issueTicket } from '#server/users/security/tickets.ts'

/**
 * Registers the calls that add, rename and remove the second steps of a user: passkeys, the authenticator and recovery
 * codes.
 */
export function factorsRoutes(register: Register, { ctx, settings, publicUrl }: Omit<SignInParts, 'signIns'>): void {
  const confirmed = requireConfirmation(ctx)

  register(calls.securityPasskeyTask, async ({ user, body, from }) => {
    const { userId } = user
    const wait = await consumeAttempt(ctx, { limit: 'passkey_task', key: userId })
    if (wait > 0) return refuse('too_many_attempts', { params: { seconds: wait } })
    const site = passkeySite(publicUrl, from.origin)
    if (site === null) return refuse('passkeys_here_not')
    if (body.use === 'add' && (await needsConfirmation(ctx, user, { always: true })))
      return refuse('confirmation_needed')
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

  register(
    calls.addPasskey,
    confirmed(async ({ user, body, from }) => {
      const added = await addPasskey(ctx, passkeySite(publicUrl, from.origin), { ...body, userId: user.userId })
      if (!added.ok) return added
      return answer({ recovery_codes: added.value })
    }),
  )
  register(calls.renamePasskey, async ({ user, params, body }) => {
    const isDone = await renamePasskey(ctx.db, { userId: user.userId, id: params.id }, body.name)
    return isDone ? answer({}) : refuse('not_found')
  })
  register(
    calls.removePasskey,
    confirmed(async ({ user, params }) => {
      if (!(await removePasskey(ctx, { userId: user.userId, id: params.id }))) return refuse('not_found')
      return answer({})
    }),
  )

  register(
    calls.beginAuthenticator,
    confirmed(async ({ user }) => {
      const { siteName: issuer } = settings.current
      const begun = await beginAuthenticator(ctx, { userId: user.userId, name: user.username, issuer })
      return begun.ok ? answer(begun.value) : begun
    }),
  )
  register(
    calls.turnOnAuthenticator,
    confirmed(async ({ user, body }) => {
      const done = await turnOnAuthenticator(ctx, user.userId, body.code)
      if (!done.ok) return done
      return answer({ recovery_codes: done.value })
    }),
  )
  register(
    calls.turnOffAuthenticator,
    confirmed(async ({ user }) => {
      await turnOffAuthenticator(ctx, user.userId)
      return answer({})
    }),
  )
  register(
    calls.renewRecoveryCodes,
    confirmed(async ({ user }) => {
      if (!hasSecondStep(await findFactors(ctx.db, user.userId))) return refuse('second_step_missing')
      const done = await renewRecoveryCodes(ctx, user.userId)
      if (!done.ok) return done
      return answer({ recovery_codes: done.value })
    }),
  )
}
