import { calls } from '#contract/calls.ts'
import type { Passwords } from '#server/platform/credentials/passwords.ts'
import type { Ctx } from '#server/platform/context/context.ts'
import { answer } from '#server/platform/http/answer.ts'
import type { Register } from '#server/platform/http/register-call.ts'
import { message } from '#server/platform/i18n/messages.ts'
import { changePassword } from '#server/users/profile/change-password.ts'
import { rememberLanguage } from '#server/users/accounts/users.queries.ts'
import { saveProfile } from '#server/users/profile/save-profile.ts'
import { loadUserReply } from '#server/users/accounts/user-reply.ts'
import { removePicture, savePicture } from '#server/users/profile/save-picture.ts'
import type { Settings } from '#server/settings/site-settings.ts'
import type { Uploads } from '#server/platform/uploads/uploads.ts'

export interface ProfileParts {
  readonly ctx: Ctx
  readonly passwords: Passwords
  readonly settings: Settings
  readonly uploads: Uploads
}

export function profileRoutes(register: Register, { ctx, passwords, settings, uploads }: ProfileParts): void {
  const userReply = async (userId: string) => ({ user: await loadUserReply(ctx, userId, settings.current) })

  register(calls.profile, async ({ user, language }) => {
    // The app makes this call whenever it starts, also after the user has chosen another language.
    await rememberLanguage(ctx.db, user.userId, language)
    return answer(await userReply(user.userId))
  })
  register(calls.saveProfile, async ({ user, body, language }) => {
    const done = await saveProfile(ctx, user, body, language)
    if (!done.ok) return done
    return answer(await userReply(user.userId), { message: message('message.updated', language) })
  })
  register(calls.saveProfileImage, async ({ user, body, language }) => {
    const done = await savePicture({ ctx, uploads }, user.userId, body.profile_image)
    if (!done.ok) return done
    return answer(await userReply(user.userId), { message: message('message.photo_uploaded', language) })
  })
  register(calls.removeProfileImage, async ({ user, language }) => {
    await removePicture({ ctx, uploads }, user.userId)
    return answer(await userReply(user.userId), { message: message('message.updated', language) })
  })
  register(calls.changePassword, async ({ user, body, language }) => {
    const done = await changePassword({ ctx, passwords }, user, body)
    return done.ok ? answer({}, { message: message('message.updated', language) }) : done
  })
}
