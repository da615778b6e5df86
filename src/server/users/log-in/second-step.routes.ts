import { calls } from '#contract/calls.ts'
import { usernameKey } from '#core/accounts/username.ts'
import { refuse } from '#core/result.ts'
import { consumeAttempt } from '#server/platform/limits/attempt-limits.ts'
import { subnetOf } from '#server/platform/limits/subnet.ts'
import { answer } from '#server/platform/http/answer.ts'
import type { Register } from '#server/platform/http/register-call.ts'
import { loadUserReply, USER_IMAGE_PATH } from '#server/users/accounts/user-reply.ts'
import { completeLogIn } from '#server/users/log-in/complete-log-in.ts'
import { checkCode } from '#server/users/security/check-code.ts'
import { checkPasskey } from '#server/users/security/check-passkey.ts'
import { deviceKey, isProvenDevice, knownDevice } from '#server/users/sessions/devices.queries.ts'
import { findFactors } from '#server/users/security/factors.queries.ts'
import { passkeySite, useTask } from '#server/users/security/passkeys.ts'
import type { Opened } from '#server/users/sessions/record-log-in.ts'
import type { SignInParts } from '#server/users/security/sign-in-parts.ts'
import { findTicket, issueTicket } from '#server/users/security/tickets.ts'
import { findUserName } from '#server/users/sessions/user-name.queries.ts'

/** Registers the calls for the second step of a log-in, and for the log-in with a passkey. */
export function signInRoutes(register: Register, { ctx, settings, signIns, publicUrl }: SignInParts): void {
  const signedIn = async ({ userId, token, device }: Opened) =>
    answer({
      token,
      user: await loadUserReply(ctx, userId, settings.current),
      image_path: USER_IMAGE_PATH,
      device,
    })

  /**
   * Counts an attempt with a passkey, and returns the wait in seconds. A known device has a separate limit, so that
   * others on the same network cannot use it up.
   */
  async function takePasskey(address: string, device: string | null): Promise<number> {
    const isKnown = device !== null && (await isProvenDevice(ctx.db, device))
    return consumeAttempt(
      ctx,
      isKnown
        ? { limit: 'passkey_device', key: deviceKey(device) }
        : { limit: 'passkey_network', key: subnetOf(address) },
    )
  }

  register(calls.secondStep, async ({ body, from }) => {
    const ticket = await findTicket(ctx, body.ticket, 'second_step')
    if (ticket === null || ticket.userId === null) return refuse('ticket_over')
    const { userId } = ticket
    const name = usernameKey((await findUserName(ctx.db, userId)) ?? '')
    const device = body.device ?? null
    const known = device === null ? null : await knownDevice(ctx.db, name, device)
    const checked = await checkCode(ctx, { userId, address: from.address, knownDevice: known }, body.code)
    if (!checked.ok) {
      if (checked.refusal === 'second_code_wrong') await signIns.failed(userId, 'code', from)
      return checked
    }
    const entry = { userId, how: checked.value, from, device }
    const opened = await completeLogIn({ ctx, signIns }, entry, { ticket: body.ticket })
    return opened === null ? refuse('ticket_over') : signedIn(opened)
  })

  register(calls.passkeyTask, async ({ body, from }) => {
    const wait = await takePasskey(from.address, body.device ?? null)
    if (wait > 0) return refuse('too_many_attempts', { params: { seconds: wait } })
    const site = passkeySite(publicUrl, from.origin)
    if (site === null) return refuse('passkeys_here_not')
    const first = body.ticket ? await findTicket(ctx, body.ticket, 'second_step') : null
    if (body.ticket && first === null) return refuse('ticket_over')
    const userId = first?.userId ?? null
    const passkeys = userId === null ? [] : (await findFactors(ctx.db, userId)).passkeys
    const options = await useTask(ctx, site, passkeys)
    const { challenge } = options
    return answer({
      ticket: await issueTicket(ctx, ctx.db, 'passkey_sign_in', { userId, challenge }),
      options: { ...options },
    })
  })

  register(calls.passkeySignIn, async ({ body, from }) => {
    const wait = await takePasskey(from.address, body.device ?? null)
    if (wait > 0) return refuse('too_many_attempts', { params: { seconds: wait } })
    const given = { kind: 'passkey_sign_in', ticket: body.ticket, response: body.response } as const
    const checked = await checkPasskey(ctx, passkeySite(publicUrl, from.origin), given)
    if (!checked.ok) return checked
    const { userId, passkeyId } = checked.value
    const entry = { userId, how: 'passkey', from, device: body.device ?? null } as const
    const opened = await completeLogIn({ ctx, signIns }, entry, { passkeyId })
    return opened === null ? refuse('passkey_wrong') : signedIn(opened)
  })
}
