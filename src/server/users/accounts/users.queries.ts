import { sql, type Updateable } from 'kysely'
import { type Money, money } from '#core/money/money.ts'
import type { Instant } from '#core/time/instant.ts'
import { openBalance } from '#server/ledger/open-balance.ts'
import type { Db, Tx } from '#server/platform/database/tables.ts'
import type { AppUserTable } from '#server/platform/database/tables/users.ts'

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
  /** The minimum age that the user declared to have reached, at the sign-up. */
  readonly declaredAge?: number | null
}

/** Inserts an account with an empty balance. Returns false when its name is taken, ignoring upper and lower case. */
export async function insertUser(tx: Tx, user: NewUser): Promise<boolean> {
  const number = `${user.mobileCode}${user.mobile}`
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
      // If an account starts as verified, its email address, or else its phone number, counts as verified too.
      proven_email: user.verified === true && user.email !== null ? user.email.toLowerCase() : null,
      proven_mobile: user.verified === true && user.email === null && number !== '' ? number : null,
      is_bot: user.isBot ?? false,
      created_ms: user.createdAt,
      age_declared_ms: (user.declaredAge ?? null) === null ? null : user.createdAt,
      age_minimum: user.declaredAge ?? null,
    })
    .onConflict((conflict) => conflict.expression(sql`lower(username)`).doNothing())
    .executeTakeFirst()
  if (numInsertedOrUpdatedRows !== 1n) return false
  await openBalance(tx, user.id)
  return true
}

/** Finds an account by name, ignoring upper and lower case. */
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
 * Returns whether an account still has this password hash. If so, the password cannot change until the transaction
 * ends.
 */
export async function lockPasswordRow(tx: Tx, userId: string, passwordHash: string): Promise<boolean> {
  const row = await tx
    .selectFrom('app_user')
    .select('id')
    .where('id', '=', userId)
    .where('password_hash', '=', passwordHash)
    .forShare()
    .executeTakeFirst()
  return row !== undefined
}

/** Stores the language for messages to this user. */
export async function rememberLanguage(db: Db, userId: string, language: string): Promise<void> {
  await db
    .updateTable('app_user')
    .set({ language })
    .where('id', '=', userId)
    .where('language', '<>', language)
    .execute()
}

export async function hasUser(db: Db, id: string): Promise<boolean> {
  return (await db.selectFrom('app_user').select('id').where('id', '=', id).executeTakeFirst()) !== undefined
}

/** The id of a user, or the username in upper or lower case. */
export type UserKey = { readonly userId: string } | { readonly username: string }

/** The fields of an account that staff can change. */
export interface Account {
  readonly id: string
  readonly username: string
  /** Increases with every change by staff. */
  readonly version: number
  readonly verified: boolean
  readonly mayTrade: boolean
  readonly tradeReason: string
  readonly maySignIn: boolean
  readonly signInReason: string
  /** Why staff removed the verification. Empty when they did not. */
  readonly verificationReason: string
  readonly mayWithdraw: boolean
  readonly withdrawalsReason: string
  /** The maximum stake of an order that staff set for this user. If null, only the general limits apply. */
  readonly maxStake: Money | null
  readonly maxOpenStake: Money | null
}

/** Returns the account and locks its row. */
export async function lockAccount(tx: Tx, key: UserKey): Promise<Account | null> {
  const row = await tx
    .selectFrom('app_user')
    .select([
      'id',
      'username',
      'version',
      'verified',
      'trade_allowed',
      'trade_reason',
      'sign_in_blocked',
      'sign_in_reason',
      'verification_reason',
      'withdrawals_allowed',
      'withdrawals_reason',
      'max_stake',
      'max_open_stake',
    ])
    .where((by) =>
      'userId' in key ? by('id', '=', key.userId) : by(sql`lower(username)`, '=', key.username.toLowerCase()),
    )
    .forUpdate()
    .executeTakeFirst()
  if (!row) return null
  return {
    id: row.id,
    username: row.username,
    version: row.version,
    verified: row.verified,
    mayTrade: row.trade_allowed,
    tradeReason: row.trade_reason,
    maySignIn: !row.sign_in_blocked,
    signInReason: row.sign_in_reason,
    verificationReason: row.verification_reason,
    mayWithdraw: row.withdrawals_allowed,
    withdrawalsReason: row.withdrawals_reason,
    maxStake: moneyOrNull(row.max_stake),
    maxOpenStake: moneyOrNull(row.max_open_stake),
  }
}

export async function updateAccount(tx: Tx, userId: string, set: Updateable<AppUserTable>): Promise<void> {
  await tx.updateTable('app_user').set(set).where('id', '=', userId).execute()
}

export function moneyOrNull(amount: bigint | null): Money | null {
  return amount === null ? null : money(amount)
}

/** Finds the id of the user with this name, ignoring upper and lower case. Null when there is none. */
export async function findUserId(db: Db, username: string): Promise<string | null> {
  const row = await db
    .selectFrom('app_user')
    .select('id')
    .where(sql`lower(username)`, '=', username.toLowerCase())
    .executeTakeFirst()
  return row?.id ?? null
}
