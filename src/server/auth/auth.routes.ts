import { calls } from '#contract/calls.ts'
import { login, type LoginParts } from '#server/auth/login.ts'
import { logout } from '#server/auth/logout.ts'
import { register as openAccount } from '#server/auth/register.ts'
import { rememberLanguage } from '#server/auth/auth.queries.ts'
import type { AccountLimits } from '#server/auth/account-limits.ts'
import { answer } from '#server/http/answer.ts'
import type { Register } from '#server/http/register-call.ts'
import { message } from '#server/messages.ts'
import { loadUserOut, USER_IMAGE_PATH } from '#server/profile/user-out.ts'
import { sendFirstCode, type SendCodeParts } from '#server/verification/send-code.ts'

export function authRoutes(register: Register, parts: SendCodeParts & { readonly limits: AccountLimits }): void {
  const { ctx, passwords, settings, limits } = parts
  const loginParts: LoginParts = { ctx, passwords, ...limits }
  const signedIn = async ({ userId, token }: { userId: string; token: string }) => ({
    token,
    user: await loadUserOut(ctx.db, userId, settings.current),
    image_path: USER_IMAGE_PATH,
  })

  register(calls.register, async ({ body, from, language }) => {
    const done = await openAccount({ ctx, passwords, settings: settings.current, ...limits }, body, {
      ...from,
      language,
    })
    if (!done.ok) return done
    await sendFirstCode(parts, done.value.userId)
    return answer(await signedIn(done.value), { message: message('message.registered', language) })
  })
  register(calls.login, async ({ body, from, language }) => {
    const done = await login(loginParts, body, from)
    // The one they use now is the one they will want to be written to in.
    if (done.ok) await rememberLanguage(ctx.db, done.value.userId, language)
    return done.ok ? answer(await signedIn(done.value)) : done
  })
  register(calls.logout, async ({ user }) => {
    await logout(ctx, user)
    return answer({})
  })
}
