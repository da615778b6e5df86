import { type Role, isRole } from '#core/staff/permissions.ts'
import { type Instant, instant, MINUTE_MS } from '#core/time/instant.ts'
import type { Db, Tx } from '#server/platform/database/tables.ts'
import { assert } from '#core/result.ts'

/** A session ends after 1 h without activity of the staff member, and 12 h after the log-in in any case. */
export const STAFF_IDLE_MS = 60 * MINUTE_MS
export const STAFF_SESSION_MS = 12 * 60 * MINUTE_MS

/** The staff member of a valid session, with the current role. */
export interface SignedInStaff {
  readonly staffId: string
  readonly name: string
  readonly role: Role
  readonly sessionId: string
  /** When the staff member was invited again, or null if that never happened. */
  readonly reinvitedAt: Instant | null
}

export async function insertStaffSession(
  tx: Tx,
  session: {
    readonly tokenHash: Uint8Array
    readonly id: string
    readonly staffId: string
    readonly at: Instant
    readonly userAgent: string
    readonly address: string
  },
): Promise<void> {
  await tx
    .insertInto('staff_session')
    .values({
      token_hash: session.tokenHash,
      id: session.id,
      staff_id: session.staffId,
      created_ms: session.at,
      seen_ms: session.at,
      expires_ms: session.at + STAFF_SESSION_MS,
      user_agent: session.userAgent,
      address: session.address,
    })
    .execute()
}

/** Reads a session and its staff member, so that a block or a new role applies from the next call on. */
export async function findStaffSession(
  db: Db,
  tokenHash: Uint8Array,
  now: Instant,
): Promise<(SignedInStaff & { readonly seenAt: number }) | null> {
  const row = await db
    .selectFrom('staff_session as s')
    .innerJoin('staff', 'staff.id', 's.staff_id')
    .select(['s.id', 's.staff_id', 's.seen_ms', 'staff.name', 'staff.role', 'staff.reinvited_ms'])
    .where('s.token_hash', '=', tokenHash)
    .where('s.expires_ms', '>', BigInt(now))
    .where('s.seen_ms', '>', BigInt(now - STAFF_IDLE_MS))
    .where('staff.is_blocked', '=', false)
    .executeTakeFirst()
  if (!row) return null
  const { id, staff_id: staffId, name, role, seen_ms: seenAt, reinvited_ms: reinvitedMs } = row
  const reinvitedAt = reinvitedMs === null ? null : instant(reinvitedMs)
  return { sessionId: id, staffId, name, role: readRole(role), reinvitedAt, seenAt: Number(seenAt) }
}

export async function markStaffSeen(db: Db, sessionId: string, now: Instant): Promise<void> {
  await db.updateTable('staff_session').set({ seen_ms: now }).where('id', '=', sessionId).execute()
}

/** Lists the newest 500 open sessions, newest first: of one staff member, or of all when `staffId` is null. */
export async function listStaffSessions(db: Db, staffId: string | null, now: Instant) {
  return db
    .selectFrom('staff_session as s')
    .innerJoin('staff', 'staff.id', 's.staff_id')
    .select(['s.id', 's.staff_id', 's.created_ms', 's.seen_ms', 's.user_agent', 's.address', 'staff.name'])
    .where('s.expires_ms', '>', BigInt(now))
    .where('s.seen_ms', '>', BigInt(now - STAFF_IDLE_MS))
    .$if(staffId !== null, (all) => all.where('s.staff_id', '=', staffId ?? ''))
    .orderBy('s.created_ms', 'desc')
    .limit(500)
    .execute()
}

/**
 * Ends a session. With `staffId`, only a session of that staff member. Returns the staff member of the session, or
 * null.
 */
export async function endStaffSession(
  db: Db | Tx,
  { sessionId, staffId }: { readonly sessionId: string; readonly staffId?: string | undefined },
): Promise<string | null> {
  const row = await db
    .deleteFrom('staff_session')
    .where('id', '=', sessionId)
    .$if(staffId !== undefined, (all) => all.where('staff_id', '=', staffId ?? ''))
    .returning('staff_id')
    .executeTakeFirst()
  return row?.staff_id ?? null
}

export async function endStaffSessionsOf(db: Db | Tx, staffId: string): Promise<void> {
  await db.deleteFrom('staff_session').where('staff_id', '=', staffId).execute()
}

export async function deleteOverStaffSessions(db: Db, now: Instant): Promise<void> {
  await db
    .deleteFrom('staff_session')
    .where((by) => by.or([by('expires_ms', '<=', BigInt(now)), by('seen_ms', '<=', BigInt(now - STAFF_IDLE_MS))]))
    .execute()
  await db.deleteFrom('staff_ticket').where('expires_ms', '<=', BigInt(now)).execute()
}

export function readRole(text: string): Role {
  assert(isRole(text), 'the database holds only roles there are')
  return text
}

/** Ends all sessions of staff. Returns their number. */
export async function deleteAllStaffSessions(tx: Tx): Promise<number> {
  return Number((await tx.deleteFrom('staff_session').executeTakeFirst()).numDeletedRows)
}
