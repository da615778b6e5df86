import { MINUTE_MS } from '#core/time/instant.ts'
import { hashToken } from '#server/platform/credentials/session-token.ts'
import type { Ctx } from '#server/platform/context/context.ts'
import {
  findStaffSession,
  markStaffSeen,
  type SignedInStaff,
} from '#server/back-office/staff-sessions/staff-sessions.queries.ts'

/**
 * Finds the staff member of a session. Returns null when the session is unknown or expired, or when its staff member is
 * blocked.
 */
export type AuthenticateStaff = (
  token: string,
  options?: {
    /**
     * True when the page made the call without an action of the staff member. Such a call does not extend the session.
     */
    readonly isUnattended?: boolean
  },
) => Promise<SignedInStaff | null>

/** Reads the database at every call. Calls of staff are few, and a block must apply at once on every server. */
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
