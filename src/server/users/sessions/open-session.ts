import { DAY_MS, later } from '#core/time/instant.ts'
import { assert } from '#core/result.ts'
import { insertSession } from '#server/users/sessions/sessions.queries.ts'
import { hashToken, makeToken } from '#server/platform/credentials/session-token.ts'
import type { Ctx } from '#server/platform/context/context.ts'
import type { Device } from '#server/platform/http/signed-in.ts'
import type { Db, Tx } from '#server/platform/database/tables.ts'

const SESSION_LIFETIME_MS = 30 * DAY_MS
const MAX_USER_AGENT_LENGTH = 300

/** Opens a session of 30 days and returns its token, which is not stored. */
export async function openSession(
  ctx: Ctx,
  userId: string,
  device: Omit<Device, 'country'> & { readonly isConfirmed?: boolean },
  db: Db | Tx = ctx.db,
): Promise<string> {
  const token = makeToken((count) => ctx.randomBytes(count))
  const tokenHash = hashToken(token)
  assert(tokenHash, 'a token we make can be read')
  const now = ctx.now()
  await insertSession(db, {
    tokenHash,
    userId,
    createdAt: now,
    expiresAt: later(now, SESSION_LIFETIME_MS),
    userAgent: device.userAgent.slice(0, MAX_USER_AGENT_LENGTH),
    address: device.address,
    confirmedAt: device.isConfirmed === true ? now : null,
  })
  return token
}
