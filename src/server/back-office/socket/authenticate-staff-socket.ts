import { hashToken } from '#server/platform/credentials/session-token.ts'
import type { Ctx } from '#server/platform/context/context.ts'
import { findStaffSession, type SignedInStaff } from '#server/back-office/staff-sessions/staff-sessions.queries.ts'

/** Somebody of the staff at a socket, with the token that let them in. */
export interface StaffVisit {
  readonly staff: SignedInStaff
  readonly token: string
}

/** Whose visit it is now; null when the session is over. Listening is no activity: it keeps no session open. */
export async function findVisit(ctx: Ctx, token: string | null): Promise<StaffVisit | null> {
  const tokenHash = token === null ? null : hashToken(token)
  if (token === null || tokenHash === null) return null
  const staff = await findStaffSession(ctx.db, tokenHash, ctx.now())
  return staff && { staff, token }
}
