import { calls } from '#contract/calls.ts'
import type { Ctx } from '#server/context.ts'
import { answer } from '#server/http/answer.ts'
import type { Register } from '#server/http/register-call.ts'
import { loadUserOut } from '#server/profile/user-out.ts'
import type { Settings } from '#server/settings/site-settings.ts'

export function profileRoutes(register: Register, { ctx, settings }: { ctx: Ctx; settings: Settings }): void {
  register(calls.profile, async ({ user }) =>
    answer({ user: await loadUserOut(ctx.db, user.userId, settings.current) }),
  )
}
