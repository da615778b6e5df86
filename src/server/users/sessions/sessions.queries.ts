import { sql } from 'kysely'
import { BASE_CURRENCY } from '#core/ledger/transfer.ts'
import { type Instant, instant } from '#core/time/instant.ts'
import type { Db, Tx } from '#server/platform/database/tables.ts'
import { subnetOf } from '#server/platform/limits/subnet.ts'

export interface NewUser {
  readonly id: string
  readonly username: string
  readonly email: string | null
  readonly mobile: string
  readonly mobileCode: string
  readonly countryCode: string
  readonly passwordHash: string
  readonly invitationCode: string | null
  readonly language: string
  readonly createdAt: Instant
  readonly verified?: boolean
  readonly pinHash?: string
  readonly isBot?: boolean
}

export interface NewSession {
  readonly tokenHash: Uint8Array
  readonly userId: string
  readonly createdAt: Instant
  readonly expiresAt: Instant
  readonly userAgent: string
  readonly address: string
  /** When a second factor was proved; null when none was. */
  readonly confirmedAt: Instant | null
}

/** Adds the account with an empty balance; answers false when its name is taken, whatever its case. */
export async function insertUser(tx: Tx, user: NewUser): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto('app_user')
    .values({
      id: user.id,
      username: user.username,
      email: user.email,
      mobile: user.mobile,
      mobile_code: user.mobileCode,
      country_code: user.countryCode,
      password_hash: user.passwordHash,
      pin_hash: user.pinHash ?? null,
      image_path: null,
      invitation_code: user.invitationCode,
      language: user.language,
      verified: user.verified ?? false,
      // An account that begins verified has proved what a code would have gone to.
      proven_email: user.verified === true && user.email !== null ? user.email.toLowerCase() : null,
      proven_mobile: user.verified === true && user.email === null ? `${user.mobileCode}${user.mobile}` : null,
      is_bot: user.isBot ?? false,
      created_ms: user.createdAt,
    })
    .onConflict((conflict) => conflict.expression(sql`lower(username)`).doNothing())
    .executeTakeFirst()
  if (numInsertedOrUpdatedRows !== 1n) return false
  await tx
    .insertInto('balance')
    .values({ user_id: user.id, currency: BASE_CURRENCY, cash: 0, staked: 0, withdrawing: 0, credits: 0 })
    .execute()
  return true
}

/** By name in any case. */
export async function findCredentials(
  db: Db,
  username: string,
): Promise<{ userId: string; passwordHash: string } | null> {
  const row = await db
    .selectFrom('app_user')
    .select(['id', 'password_hash'])
    .where(sql`lower(username)`, '=', username.toLowerCase())
    .executeTakeFirst()
  return row ? { userId: row.id, passwordHash: row.password_hash } : null
}

/**
 * Whether the password is still the one with this hash, of an account that may sign in; neither can be changed until the
 * transaction ends.
 */
export async function holdPassword(tx: Tx, userId: string, passwordHash: string): Promise<boolean> {
  const row = await tx
    .selectFrom('app_user')
    .select('id')
    .where('id', '=', userId)
    .where('password_hash', '=', passwordHash)
    .where('sign_in_blocked', '=', false)
    .forShare()
    .executeTakeFirst()
  return row !== undefined
}

export async function findUserId(db: Db, username: string): Promise<string | null> {
  const row = await db
    .selectFrom('app_user')
    .select('id')
    .where(sql`lower(username)`, '=', username.toLowerCase())
    .executeTakeFirst()
  return row?.id ?? null
}

/** The language that mails to this user are written in. */
export async function rememberLanguage(db: Db, userId: string, language: string): Promise<void> {
  await db
    .updateTable('app_user')
    .set({ language })
    .where('id', '=', userId)
    .where('language', '<>', language)
    .execute()
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

/** A session with its owner. */
export interface FoundSession {
  readonly userId: string
  readonly username: string
  readonly verified: boolean
  readonly expiresAt: Instant
  readonly seenAt: Instant
}

/** Of each of these tokens the session, if it has not expired and its owner has not been blocked; else null. */
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
    expires_ms: bigint
    seen_ms: bigint
  }>`
    select asked.place, s.user_id, u.username, u.verified, s.expires_ms, s.seen_ms
    from unnest(${tokenHashes}::bytea[]) with ordinality as asked(token_hash, place)
    join session s on s.token_hash = asked.token_hash
    join app_user u on u.id = s.user_id
    where s.expires_ms > ${now}::int8 and not u.sign_in_blocked`.execute(db)
  const found = tokenHashes.map((): FoundSession | null => null)
  for (const { place, user_id: userId, username, verified, ...row } of rows) {
    found[Number(place) - 1] = {
      userId,
      username,
      verified,
      expiresAt: instant(row.expires_ms),
      seenAt: instant(row.seen_ms),
    }
  }
  return found
}

export async function markSeen(db: Db, tokenHash: Uint8Array, now: Instant): Promise<void> {
  await db.updateTable('session').set({ seen_ms: now }).where('token_hash', '=', tokenHash).execute()
}

/** Whether the user of a name has a session that was opened from the network of this address. */
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

/** Ends all sessions of a user; answers how many there were. */
export async function deleteSessionsOf(tx: Tx, userId: string): Promise<number> {
  const { numDeletedRows } = await tx.deleteFrom('session').where('user_id', '=', userId).executeTakeFirst()
  return Number(numDeletedRows)
}

/** Ends all sessions of a user but one; answers which they were, so that their sockets can be told. */
export async function deleteOtherSessions(tx: Tx, userId: string, kept: Uint8Array): Promise<Uint8Array[]> {
  const rows = await tx
    .deleteFrom('session')
    .where('user_id', '=', userId)
    .where('token_hash', '!=', kept)
    .returning('token_hash')
    .execute()
  return rows.map((row) => row.token_hash)
}

/** Old sessions of everyone; called now and then. */
export async function deleteExpiredSessions(db: Db, now: Instant): Promise<void> {
  await db.deleteFrom('session').where('expires_ms', '<=', BigInt(now)).execute()
}
