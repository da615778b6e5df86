import { sql } from 'kysely'
import type { Detail } from '#core/accounts/personal-details.ts'
import { BASE_CURRENCY } from '#core/ledger/transfer.ts'
import { type Money, money } from '#core/money/money.ts'
import { type Instant, instant } from '#core/time/instant.ts'
import type { Db, Tx } from '#server/platform/database/tables.ts'
import { VERIFY_ACCOUNT } from '#server/users/accounts/one-time-codes.queries.ts'

/** The facts about an account that its user sees, with the balances. */
export interface Profile {
  readonly userId: string
  readonly username: string
  readonly email: string | null
  readonly mobile: string
  readonly mobileCode: string
  readonly countryCode: string
  readonly firstName: string
  readonly lastName: string
  readonly address: unknown
  readonly imagePath: string | null
  readonly hasPin: boolean
  readonly verified: boolean
  /** Whether a code has verified the phone number. */
  readonly isMobileProven: boolean
  /**
   * For a user whom staff blocked, or who left: the reason of the block and, if closed, the time of the closing. Null
   * for all other users.
   */
  readonly leaving: { readonly reason: string; readonly closedAt: Instant | null } | null
  /** While the user closes the account: the earliest time at which the account is erased. Otherwise null. */
  readonly erasesAt: Instant | null
  /** If a recovery of the account waits: the time from which it can be completed. Otherwise null. */
  readonly recoveryOpensAt: Instant | null
  /** True when a newer version of the terms of use waits for the user's consent. */
  readonly owesConsent: boolean
  readonly mayTrade: boolean
  readonly tradeReason: string
  readonly cash: Money
  readonly staked: Money
  readonly withdrawing: Money
  readonly credits: Money
  readonly openOrders: number
  readonly hasDeposits: boolean
  /** True when staff limited the stakes of this user. */
  readonly hasLimits: boolean
  /** Why staff removed the verification. Empty when they did not. */
  readonly verificationReason: string
  /** When the last verification code expires. Null when none is outstanding. */
  readonly codeExpiresAt: Instant | null
}

async function readRow(db: Db, userId: string) {
  return await db
    .selectFrom('app_user as u')
    .innerJoin('balance as b', (join) => join.onRef('b.user_id', '=', 'u.id').on('b.currency', '=', BASE_CURRENCY))
    .leftJoin('account_closing as k', (join) => join.onRef('k.user_id', '=', 'u.id').on('k.state', '=', 'closing'))
    .leftJoin('account_recovery as r', (join) => join.onRef('r.user_id', '=', 'u.id').on('r.state', '=', 'waiting'))
    .where('u.id', '=', userId)
    .select([
      'u.username',
      'u.email',
      'u.mobile',
      'u.mobile_code',
      'u.country_code',
      'u.firstname',
      'u.lastname',
      'u.address',
      'u.image_path',
      'u.pin_hash',
      'u.verified',
      'u.verification_reason',
      'u.proven_mobile',
      'u.sign_in_blocked',
      'u.sign_in_reason',
      'k.erase_ms',
      'r.opens_ms',
      'u.trade_allowed',
      'u.trade_reason',
      'u.max_stake',
      'u.max_open_stake',
      'b.cash',
      'b.staked',
      'b.withdrawing',
      'b.credits',
      sql<boolean>`u.terms_version < terms_to_agree()`.as('owes_consent'),
    ])
    .select((from) =>
      from
        .selectFrom('open_order as o')
        .whereRef('o.user_id', '=', 'u.id')
        .select((count) => count.fn.countAll<bigint>().as('count'))
        .as('open_orders'),
    )
    .select((from) =>
      from
        .selectFrom('user_leave as l')
        .whereRef('l.user_id', '=', 'u.id')
        .where('l.state', '=', 'closed')
        // A user can leave several times, because a payment that came back puts money on the account again.
        .select((newest) => newest.fn.max('l.ended_ms').as('left_ms'))
        .as('left_ms'),
    )
    .select((from) =>
      from.exists(from.selectFrom('deposit as d').whereRef('d.user_id', '=', 'u.id').select('d.id')).as('has_deposits'),
    )
    .select((from) =>
      from
        .selectFrom('one_time_code as c')
        .whereRef('c.user_id', '=', 'u.id')
        .where('c.kind', '=', VERIFY_ACCOUNT)
        .select('c.expires_ms')
        .as('code_expires_ms'),
    )
    .executeTakeFirst()
}

export async function findProfile(db: Db, userId: string): Promise<Profile | null> {
  const row = await readRow(db, userId)
  if (!row) return null
  return {
    userId,
    username: row.username,
    email: row.email,
    mobile: row.mobile,
    mobileCode: row.mobile_code,
    countryCode: row.country_code,
    firstName: row.firstname,
    lastName: row.lastname,
    address: row.address,
    imagePath: row.image_path,
    hasPin: row.pin_hash !== null,
    verified: row.verified,
    isMobileProven: row.proven_mobile === `${row.mobile_code}${row.mobile}`,
    leaving: leavingOf(row),
    erasesAt: row.erase_ms === null ? null : instant(row.erase_ms),
    recoveryOpensAt: row.opens_ms === null ? null : instant(row.opens_ms),
    owesConsent: row.owes_consent,
    mayTrade: row.trade_allowed,
    tradeReason: row.trade_reason,
    hasLimits: row.max_stake !== null || row.max_open_stake !== null,
    cash: money(row.cash),
    staked: money(row.staked),
    withdrawing: money(row.withdrawing),
    credits: money(row.credits),
    openOrders: Number(row.open_orders ?? 0n),
    hasDeposits: Boolean(row.has_deposits),
    verificationReason: row.verification_reason,
    codeExpiresAt: row.code_expires_ms === null ? null : instant(row.code_expires_ms),
  }
}

function leavingOf(row: {
  readonly sign_in_blocked: boolean
  readonly sign_in_reason: string
  readonly left_ms: bigint | null
}): Profile['leaving'] {
  if (!row.sign_in_blocked && row.left_ms === null) return null
  return { reason: row.sign_in_reason, closedAt: row.left_ms === null ? null : instant(row.left_ms) }
}

/** The fields of the profile that a user can change, in their stored form. */
export interface ProfileChange extends Readonly<Record<Detail, string>> {
  readonly username: string
  readonly mobile: string
  readonly mobileCode: string
  readonly countryCode: string
  readonly country: string
}

/** Lets other changes of the profile wait. Returns false for an account that does not exist or is erased. */
export async function lockProfile(tx: Tx, userId: string): Promise<boolean> {
  const found = await tx
    .selectFrom('app_user')
    .select('id')
    .where('id', '=', userId)
    .forNoKeyUpdate()
    .executeTakeFirst()
  if (found === undefined) return false
  const erased = await tx
    .selectFrom('erased_account')
    .select('user_id')
    .where('user_id', '=', userId)
    .executeTakeFirst()
  return erased === undefined
}

const NAME_INDEX = 'app_user_username'

/**
 * Updates the profile. When another user has the name, in upper or lower case, throws an error that `isNameTaken`
 * recognises.
 */
export async function updateProfile(tx: Tx, userId: string, change: ProfileChange): Promise<void> {
  const { address, city, zip, state, country } = change
  await tx
    .updateTable('app_user')
    .set({
      username: change.username,
      mobile: change.mobile,
      mobile_code: change.mobileCode,
      country_code: change.countryCode,
      firstname: change.firstname,
      lastname: change.lastname,
      address: JSON.stringify({ address, city, zip, state, country }),
    })
    .where('id', '=', userId)
    .execute()
}

/**
 * Returns whether an update failed because the name is taken. A check before the update would not be enough, because
 * two users may request a name at the same time.
 */
export function isNameTaken(error: unknown): boolean {
  return error instanceof Error && 'constraint' in error && error.constraint === NAME_INDEX
}

/**
 * Stores since when a user has a country. Two changes in the same millisecond would collide, so the second change gets
 * the next millisecond.
 */
export async function noteCountry(
  tx: Tx,
  { userId, country, at }: { readonly userId: string; readonly country: string; readonly at: Instant },
): Promise<void> {
  await sql`
    insert into user_country_since (user_id, since_ms, country)
    select ${userId}::uuid, greatest(${at}::int8, coalesce(max(since_ms) + 1, 0)), ${country}::text
    from user_country_since where user_id = ${userId}::uuid`.execute(tx)
}

/**
 * Makes a changed phone number unproven, and deletes all codes of the user, because they may have been sent to the
 * earlier number.
 */
export async function forgetProvenMobile(tx: Tx, userId: string): Promise<void> {
  await tx.updateTable('app_user').set({ proven_mobile: null }).where('id', '=', userId).execute()
  await tx.deleteFrom('one_time_code').where('user_id', '=', userId).execute()
}

/** Stores the file name of the user's picture and returns the earlier name. Null means no picture. */
export async function swapPicture(tx: Tx, userId: string, name: string | null): Promise<string | null> {
  const row = await tx
    .selectFrom('app_user')
    .select('image_path')
    .where('id', '=', userId)
    .forUpdate()
    .executeTakeFirstOrThrow()
  await tx.updateTable('app_user').set({ image_path: name }).where('id', '=', userId).execute()
  return row.image_path
}

export async function findPasswordHash(db: Db, userId: string): Promise<string | null> {
  const row = await db.selectFrom('app_user').select('password_hash').where('id', '=', userId).executeTakeFirst()
  return row?.password_hash ?? null
}

/** Replaces the hash of a password if the stored hash is still `from`. Returns false after a concurrent change. */
export async function updatePasswordHash(
  tx: Tx,
  userId: string,
  { from, to }: { readonly from: string; readonly to: string },
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('app_user')
    .set({ password_hash: to })
    .where('id', '=', userId)
    .where('password_hash', '=', from)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}
