import { sql } from 'kysely'
import { type Instant, instant } from '#core/time/instant.ts'
import type { Db, Tx } from '#server/platform/database/tables.ts'
import { subnetOf } from '#server/platform/limits/subnet.ts'

export interface NewSession {
  readonly tokenHash: Uint8Array
  readonly userId: string
  readonly createdAt: Instant
  readonly expiresAt: Instant
  readonly userAgent: string
  readonly address: string
  /** When the user last confirmed the identity in this session, for example with a second step. Null if never. */
  readonly confirmedAt: Instant | null
}

export async function insertSession(db: Db, session: NewSession): Promise<void> {
  await db
    .insertInto('session')
    .values({
      token_hash: session.tokenHash,
      user_id: session.userId,
      created_ms: session.createdAt,
      expires_ms: session.expiresAt,
      user_agent: session.userAgent,
      ip: session.address,
      seen_ms: session.createdAt,
      confirmed_ms: session.confirmedAt ?? 0,
    })
    .execute()
}

/** A session with the facts about its user that requests need. */
export interface FoundSession {
  readonly userId: string
  readonly username: string
  readonly verified: boolean
  readonly owesConsent: boolean
  readonly country: string | null
  readonly expiresAt: Instant
  readonly seenAt: Instant
  /** Whether the user is blocked or has closed the account, so that the session can only be used for leaving. */
  readonly isLeaveOnly: boolean
}

/** Returns a session for each token hash, in the same order. Null when the session has expired or does not exist. */
export async function findSessions(
  db: Db,
  tokenHashes: readonly Uint8Array[],
  now: Instant,
): Promise<(FoundSession | null)[]> {
  const { rows } = await sql<{
    place: bigint
    user_id: string
    username: string
    verified: boolean
    owes_consent: boolean
    country: string | null
    expires_ms: bigint
    seen_ms: bigint
    is_leave_only: boolean
  }>`
    select asked.place, s.user_id, u.username, u.verified, u.terms_version < terms_to_agree() as owes_consent, nullif(u.country_code, '') as country,
      s.expires_ms, s.seen_ms,
      u.sign_in_blocked or exists (select from user_leave l where l.user_id = u.id and l.state = 'closed') as is_leave_only
    from unnest(${tokenHashes}::bytea[]) with ordinality as asked(token_hash, place)
    join session s on s.token_hash = asked.token_hash
    join app_user u on u.id = s.user_id
    where s.expires_ms > ${now}::int8`.execute(db)
  const found = tokenHashes.map((): FoundSession | null => null)
  for (const { place, user_id: userId, username, verified, country, owes_consent: owesConsent, ...row } of rows) {
    found[Number(place) - 1] = {
      userId,
      username,
      verified,
      owesConsent,
      country,
      expiresAt: instant(row.expires_ms),
      seenAt: instant(row.seen_ms),
      isLeaveOnly: row.is_leave_only,
    }
  }
  return found
}

export async function markSeen(db: Db, tokenHash: Uint8Array, now: Instant): Promise<void> {
  await db.updateTable('session').set({ seen_ms: now }).where('token_hash', '=', tokenHash).execute()
}

/** Returns whether the named user has a session that was opened from this address's network. */
export async function hasSessionFrom(
  db: Db,
  { username, address, now }: { readonly username: string; readonly address: string; readonly now: Instant },
): Promise<boolean> {
  const rows = await db
    .selectFrom('session')
    .innerJoin('app_user', 'app_user.id', 'session.user_id')
    .select('session.ip')
    .distinct()
    .where(sql`lower(app_user.username)`, '=', username)
    .where('session.expires_ms', '>', BigInt(now))
    .execute()
  const network = subnetOf(address)
  return rows.some(({ ip }) => subnetOf(ip) === network)
}

export async function deleteSession(db: Db, tokenHash: Uint8Array): Promise<void> {
  await db.deleteFrom('session').where('token_hash', '=', tokenHash).execute()
}

/** Ends all sessions of a user and returns their number. */
export async function deleteSessionsOf(tx: Tx, userId: string): Promise<number> {
  const { numDeletedRows } = await tx.deleteFrom('session').where('user_id', '=', userId).executeTakeFirst()
  return Number(numDeletedRows)
}

/** Ends all other sessions of a user and returns their token hashes, so that their sockets can be closed. */
export async function deleteOtherSessions(tx: Tx, userId: string, currentHash: Uint8Array): Promise<Uint8Array[]> {
  const rows = await tx
    .deleteFrom('session')
    .where('user_id', '=', userId)
    .where('token_hash', '!=', currentHash)
    .returning('token_hash')
    .execute()
  return rows.map((row) => row.token_hash)
}

/** Deletes expired sessions of all users. Runs periodically. */
export async function deleteExpiredSessions(db: Db, now: Instant): Promise<void> {
  await db.deleteFrom('session').where('expires_ms', '<=', BigInt(now)).execute()
}

/** Ends all sessions of all users. Returns the number of sessions. */
export async function deleteAllSessions(tx: Tx): Promise<number> {
  return Number((await tx.deleteFrom('session').executeTakeFirst()).numDeletedRows)
}
