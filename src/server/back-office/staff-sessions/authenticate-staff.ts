import { MINUTE_MS } from '#core/time/instant.ts'
import { hashToken } from '#server/platform/credentials/session-token.ts'
import type { Ctx } from '#server/platform/context/context.ts'
import {
  findStaffSession,
  markStaffSeen,
  type SignedInStaff,
} from '#server/back-office/staff-sessions/staff-sessions.queries.ts'

/** Whose session this is; null when it is nobody's, is over, or its owner is blocked. */
export type AuthenticateStaff = (
  token: string,
  options?: {
    /** Nobody did anything: the session lives no longer for it. */
    readonly isUnattended?: boolean
  },
) => Promise<SignedInStaff | null>

/** Asked of the database at every call: there are few of them, and a block must count at once on every server. */
export function createAuthenticateStaff(ctx: Ctx): AuthenticateStaff {
  return async (token, { isUnattended = false } = {}) => {
    const tokenHash = hashToken(token)
    if (tokenHash === null) return null
    const now = ctx.now()
    const session = await findStaffSession(ctx.db, tokenHash, now)
    if (session === null) return null
    const { seenAt, ...staff } = session
    if (!isUnattended && now - seenAt >= MINUTE_MS) await markStaffSeen(ctx.db, staff.sessionId, now)
    return staff
  }
}
