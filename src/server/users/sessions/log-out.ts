import { deleteSession } from '#server/users/sessions/sessions.queries.ts'
import type { AuthenticatedUser } from '#server/platform/http/signed-in.ts'
import type { Ctx } from '#server/platform/context/context.ts'

/** Ends the session of the caller, and announces this, so that its sockets are closed. */
export async function logout(ctx: Ctx, { userId, tokenHash }: AuthenticatedUser): Promise<void> {
  await deleteSession(ctx.db, tokenHash)
  ctx.publish({ kind: 'session-ended', userId, tokenHash })
}
