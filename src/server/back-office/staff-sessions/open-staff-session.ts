import { assert } from '#core/result.ts'
import { hashToken, makeToken } from '#server/platform/credentials/session-token.ts'
import type { Device } from '#server/platform/http/signed-in.ts'
import type { Ctx } from '#server/platform/context/context.ts'
import type { Tx } from '#server/platform/database/tables.ts'
import { insertStaffSession } from '#server/back-office/staff-sessions/staff-sessions.queries.ts'

const MAX_USER_AGENT_LENGTH = 300

/** Opens a session and returns its id, and its token for the cookie. The token is not stored. */
export async function openStaffSession(
  ctx: Ctx,
  tx: Tx,
  staffId: string,
  from: Device,
): Promise<{ readonly id: string; readonly token: string }> {
  const token = makeToken((count) => ctx.randomBytes(count))
  const tokenHash = hashToken(token)
  assert(tokenHash, 'a token we make can be read')
  const id = ctx.newId()
  await insertStaffSession(tx, {
    tokenHash,
    id,
    staffId,
    at: ctx.now(),
    userAgent: from.userAgent.slice(0, MAX_USER_AGENT_LENGTH),
    address: from.address,
  })
  return { id, token }
}
