import { hashToken, sessionKey } from '#server/platform/credentials/session-token.ts'
import type { Instant } from '#core/time/instant.ts'
import type { Db, Tx } from '#server/platform/database/tables.ts'

export type SignInWay = 'password' | 'code' | 'recovery' | 'passkey'

/** A successful or failed log-in. */
export interface SignIn {
  readonly id: string
  /** Null when no user has the name that was typed. */
  readonly userId: string | null
  readonly at: Instant
  readonly how: SignInWay
  readonly wentIn: boolean
  readonly isNewDevice: boolean
  readonly userAgent: string
  readonly address: string
  readonly country: string | null
}

export async function insertSignIn(db: Db | Tx, { isNewDevice, ...line }: SignIn): Promise<void> {
  await db
    .insertInto('sign_in')
    .values({
      id: line.id,
      user_id: line.userId,
      at_ms: line.at,
      how: line.how,
      went_in: line.wentIn,
      is_new_device: isNewDevice,
      is_noticed: !isNewDevice,
      user_agent: line.userAgent,
      address: line.address,
      country: line.country,
    })
    .execute()
}

/**
 * Lists the log-ins of a user, newest first. With `onlyNew`, only log-ins from new devices that the user has not
 * confirmed yet.
 */
export async function listSignIns(
  db: Db,
  userId: string,
  { limit, onlyNew }: { readonly limit: number; readonly onlyNew: boolean },
) {
  return db
    .selectFrom('sign_in')
    .selectAll()
    .where('user_id', '=', userId)
    .$if(onlyNew, (all) => all.where('is_noticed', '=', false))
    .orderBy('at_ms', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()
}

export async function markSignInsNoticed(db: Db, userId: string): Promise<void> {
  await db
    .updateTable('sign_in')
    .set({ is_noticed: true })
    .where('user_id', '=', userId)
    .where('is_noticed', '=', false)
    .execute()
}

/**
 * Returns a short key of the device for attempt limits, if the user has logged in with this device before. Otherwise
 * null.
 */
export async function knownDevice(db: Db, username: string, device: string): Promise<string | null> {
  const hash = hashToken(device)
  if (hash === null) return null
  const row = await db
    .selectFrom('known_device')
    .innerJoin('app_user', 'app_user.id', 'known_device.user_id')
    .select('known_device.user_id')
    .where((by) => by(by.fn('lower', ['app_user.username']), '=', username))
    .where('token_hash', '=', hash)
    .executeTakeFirst()
  return row ? sessionKey(hash) : null
}

/** Returns a short key of a device for attempt limits, which does not reveal the device token. */
export function deviceKey(device: string): string {
  return sessionKey(hashToken(device) ?? new Uint8Array())
}

/** Returns whether a user with a verified address has logged in with this device. */
export async function isProvenDevice(db: Db, device: string): Promise<boolean> {
  const hash = hashToken(device)
  if (hash === null) return false
  const row = await db
    .selectFrom('known_device')
    .innerJoin('app_user', 'app_user.id', 'known_device.user_id')
    .select('known_device.user_id')
    .where('token_hash', '=', hash)
    .where((by) => by.or([by('proven_email', 'is not', null), by('proven_mobile', 'is not', null)]))
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

/** Returns whether one of these users has logged in with this device. */
export async function isDeviceOf(db: Db, device: string, userIds: readonly string[]): Promise<boolean> {
  const hash = hashToken(device)
  if (hash === null) return false
  const row = await db
    .selectFrom('known_device')
    .select('user_id')
    .where('token_hash', '=', hash)
    .where('user_id', 'in', userIds)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

/** Stores the time as the last use of a known device. Returns false when the device is not known. */
export async function touchDevice(tx: Tx, userId: string, device: string, at: Instant): Promise<boolean> {
  const hash = hashToken(device)
  if (hash === null) return false
  const { numUpdatedRows } = await tx
    .updateTable('known_device')
    .set({ seen_ms: at })
    .where('user_id', '=', userId)
    .where('token_hash', '=', hash)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

export async function insertDevice(tx: Tx, userId: string, hash: Uint8Array, at: Instant): Promise<void> {
  await tx
    .insertInto('known_device')
    .values({ user_id: userId, token_hash: hash, created_ms: at, seen_ms: at })
    .onConflict((conflict) => conflict.columns(['user_id', 'token_hash']).doUpdateSet({ seen_ms: at }))
    .execute()
}

/** Returns whether the user has logged in before, and whether with this browser from this address. */
export async function hasLoggedInFrom(
  db: Db | Tx,
  userId: string,
  { userAgent, address }: { readonly userAgent: string; readonly address: string },
): Promise<{ readonly ever: boolean; readonly likeThis: boolean }> {
  const rows = await db
    .selectFrom('sign_in')
    .select((of) => [
      of.fn.countAll<bigint>().as('ever'),
      of.fn
        .countAll<bigint>()
        .filterWhere('user_agent', '=', userAgent)
        .filterWhere('address', '=', address)
        .as('like_this'),
    ])
    .where('user_id', '=', userId)
    .where('went_in', '=', true)
    .executeTakeFirstOrThrow()
  return { ever: rows.ever > 0n, likeThis: rows.like_this > 0n }
}

/** Deletes log-ins before `linesBefore`, devices unused since `devicesBefore`, and expired tickets. */
export async function deleteOldSignIns(
  db: Db,
  { linesBefore, devicesBefore, now }: { linesBefore: Instant; devicesBefore: Instant; now: Instant },
): Promise<void> {
  await db.deleteFrom('sign_in').where('at_ms', '<=', BigInt(linesBefore)).execute()
  await db.deleteFrom('known_device').where('seen_ms', '<=', BigInt(devicesBefore)).execute()
  await db.deleteFrom('user_ticket').where('expires_ms', '<=', BigInt(now)).execute()
}
