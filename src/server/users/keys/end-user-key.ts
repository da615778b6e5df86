import { ok, refuse, type Result } from '#core/result.ts'
import { type Actor, recordAction } from '#server/audit/record-action.ts'
import type { Ctx } from '#server/platform/context/context.ts'
import { endKeys, listKeys } from '#server/users/keys/keys.queries.ts'

/**
 * Ends a user's API key for a staff member, and closes its sockets. A trigger in the database creates the notice to the
 * user.
 */
export async function endUserKey(
  ctx: Ctx,
  { userId, keyId, reason, actor }: { userId: string; keyId: string; reason: string; actor: Actor },
): Promise<Result<null, 'not_found'>> {
  const keyHash = await ctx.db.transaction().execute(async (tx) => {
    const key = (await listKeys(tx, userId, ctx.now())).find(({ id }) => id === keyId)
    if (key === undefined) return null
    const [tokenHash] = await endKeys(tx, { userId, id: keyId }, 'staff')
    if (tokenHash === undefined) return null
    const before = { key: keyId, name: key.name, scope: key.scope }
    await recordAction(tx, ctx, actor, { target: userId, reason, outcome: 'done', before })
    return tokenHash
  })
  if (keyHash === null) return refuse('not_found')
  ctx.publish({ kind: 'session-ended', userId, tokenHash: keyHash })
  return ok(null)
}
