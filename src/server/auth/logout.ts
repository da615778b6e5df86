import { deleteSession } from '#server/auth/auth.queries.ts'
import type { SignedIn } from '#server/auth/authenticate.ts'
import type { Ctx } from '#server/context.ts'

/** Ends this session for calls and sockets alike. */
export async function logout(ctx: Ctx, { userId, tokenHash }: SignedIn): Promise<void> {
  await deleteSession(ctx.db, tokenHash)
  ctx.announce({ kind: 'session-ended', userId, tokenHash })
}
