import { hashToken } from '#server/platform/credentials/session-token.ts'
import type { Ctx } from '#server/platform/context/context.ts'
import { findStaffSession, type SignedInStaff } from '#server/back-office/staff-sessions/staff-sessions.queries.ts'

/** The staff member who opened a socket, with the token of the session. */
export interface StaffVisit {
  readonly staff: SignedInStaff
  readonly token: string
}

/** Finds the staff member of a session. Null when the session has ended. An open socket does not extend the session. */
export async function authenticateStaffSocket(ctx: Ctx, token: string | null): Promise<StaffVisit | null> {
  const tokenHash = token === null ? null : hashToken(token)
  if (token === null || tokenHash === null) return null
  const staff = await findStaffSession(ctx.db, tokenHash, ctx.now())
  return staff && { staff, token }
}
