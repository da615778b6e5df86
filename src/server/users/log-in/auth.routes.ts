import { calls } from '#contract/calls.ts'
import { login, type LoginParts } from '#server/users/log-in/log-in.ts'
import { logout } from '#server/users/sessions/log-out.ts'
import { register as openAccount, type RegisterParts } from '#server/users/log-in/sign-up.ts'
import { rememberLanguage } from '#server/users/accounts/users.queries.ts'
import { answer } from '#server/platform/http/answer.ts'
import type { Register } from '#server/platform/http/register-call.ts'
import { message } from '#server/platform/i18n/messages.ts'
import { loadUserReply, USER_IMAGE_PATH } from '#server/users/accounts/user-reply.ts'
import type { Opened } from '#server/users/sessions/record-log-in.ts'
import { sendSignUpCode, type SendCodeParts } from '#server/users/verification/send-code.ts'

export function authRoutes(
  register: Register,
  parts: SendCodeParts & Pick<RegisterParts, 'signUpsPerHour' | 'signIns' | 'mode'>,
): void {
  const { ctx, passwords, settings, signUpsPerHour, signIns, mode } = parts
  const loginParts: LoginParts = { ctx, passwords, signIns }
  const signedIn = async ({ userId, token, device }: Opened) => ({
    token,
    device,
    user: await loadUserReply(ctx, userId, settings.current),
    image_path: USER_IMAGE_PATH,
  })

  register(calls.register, async ({ body, from, language }) => {
    const done = await openAccount(
      { ctx, passwords, signIns, settings: settings.current, signUpsPerHour, mode },
      body,
      {
        ...from,
        language,
      },
    )
    if (!done.ok) return done
    await sendSignUpCode(parts, { userId: done.value.userId, address: from.address })
    return answer(await signedIn(done.value), { message: message('message.registered', language) })
  })
  register(calls.login, async ({ body, from, language }) => {
    const done = await login(loginParts, body, from)
    if (!done.ok) return done
    if ('ticket' in done.value) return answer({ second_step: done.value })
    // From now on, messages to the user are in the language of this log-in.
    await rememberLanguage(ctx.db, done.value.userId, language)
    return answer(await signedIn(done.value))
  })
  register(calls.logout, async ({ user }) => {
    await logout(ctx, user)
    return answer({})
  })
}
