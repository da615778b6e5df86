import { calls } from '#contract/calls.ts'
import { login, type LoginParts } from '#server/auth/login.ts'
import { logout } from '#server/auth/logout.ts'
import { register as openAccount } from '#server/auth/register.ts'
import { rememberLanguage } from '#server/auth/auth.queries.ts'
import { answer } from '#server/http/answer.ts'
import type { Register } from '#server/http/register-call.ts'
import { message } from '#server/messages.ts'
import { loadUserOut, USER_IMAGE_PATH } from '#server/profile/user-out.ts'
import type { Opened, SignIns } from '#server/security/sign-ins.ts'
import { sendFirstCode, type SendCodeParts } from '#server/verification/send-code.ts'

export function authRoutes(
  register: Register,
  parts: SendCodeParts & { readonly signUpsPerHour: number; readonly signIns: SignIns },
): void {
  const { ctx, passwords, settings, signUpsPerHour, signIns } = parts
  const loginParts: LoginParts = { ctx, passwords, signIns }
  const signedIn = async ({ userId, token, device }: Opened) => ({
    token,
    device,
    user: await loadUserOut(ctx, userId, settings.current),
    image_path: USER_IMAGE_PATH,
  })

  register(calls.register, async ({ body, from, language }) => {
    const done = await openAccount({ ctx, passwords, signIns, settings: settings.current, signUpsPerHour }, body, {
      ...from,
      language,
    })
    if (!done.ok) return done
    await sendFirstCode(parts, { userId: done.value.userId, address: from.address })
    return answer(await signedIn(done.value), { message: message('message.registered', language) })
  })
  register(calls.login, async ({ body, from, language }) => {
    const done = await login(loginParts, body, from)
    if (!done.ok) return done
    if ('ticket' in done.value) return answer({ second_step: done.value })
    // The one they use now is the one they will want to be written to in.
    await rememberLanguage(ctx.db, done.value.userId, language)
    return answer(await signedIn(done.value))
  })
  register(calls.logout, async ({ user }) => {
    await logout(ctx, user)
    return answer({})
  })
}
