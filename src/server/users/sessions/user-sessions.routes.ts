import { calls } from '#contract/calls.ts'
import { ok, refuse } from '#core/result.ts'
import type { Ctx } from '#server/platform/context/context.ts'
import { answer } from '#server/platform/http/answer.ts'
import type { Register } from '#server/platform/http/register-call.ts'
import { markSignInsNoticed } from '#server/users/sessions/devices.queries.ts'
import { deleteOtherSessions, deleteSession } from '#server/users/sessions/sessions.queries.ts'
import { listUserSessions } from '#server/users/sessions/user-sessions.ts'

/** Registers the calls that end a user's sessions and acknowledge new devices. */
export function userSessionsRoutes(register: Register, ctx: Ctx): void {
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
    const otherHashes = await ctx.db.transaction().execute((tx) => deleteOtherSessions(tx, userId, tokenHash))
    for (const other of otherHashes) ctx.publish({ kind: 'session-ended', userId, tokenHash: other })
    return answer({ ended: otherHashes.length })
  })
  register(calls.noticeSignIns, async ({ user }) => {
    await markSignInsNoticed(ctx.db, user.userId)
    return ok({})
  })
}
