import { maskAddress } from '#core/accounts/mask-address.ts'
import { type Instant, instant } from '#core/time/instant.ts'
import type { Db, Tx } from '#server/platform/database/tables.ts'
import { type Language, storedLanguage } from '#server/platform/i18n/messages.ts'

export const VERIFY_ACCOUNT = 'verify_account'

export interface Recipient {
  readonly verified: boolean
  /** The email address, or the phone number with its dialling code when the account has no email address. */
  readonly address: string
  /** The address that receives the next verification code. Null when every address is verified. */
  readonly toProve: string | null
  /** The phone number that the user has verified, with its dialling code. Null when no number is verified. */
  readonly provenMobile: string | null
  readonly language: Language
}

export async function findRecipient(db: Db, userId: string): Promise<Recipient | null> {
  const row = await db
    .selectFrom('app_user')
    .select(['verified', 'email', 'mobile', 'mobile_code', 'language', 'proven_mobile'])
    .where('id', '=', userId)
    .executeTakeFirst()
  if (!row) return null
  const number = `${row.mobile_code}${row.mobile}`
  return {
    verified: row.verified,
    address: row.email ?? number,
    // A verified account may also verify its phone number, to receive password reset codes there.
    toProve: row.verified ? (row.proven_mobile === number ? null : number) : (row.email ?? number),
    provenMobile: row.proven_mobile,
    language: storedLanguage(row.language),
  }
}

/**
 * Finds an address that the user has verified: the email address or else the phone number. Returns null when neither is
 * verified.
 */
export async function findProvenContact(
  db: Db | Tx,
  userId: string,
): Promise<{ readonly address: string; readonly language: Language } | null> {
  const row = await db
    .selectFrom('app_user')
    .select(['proven_email', 'proven_mobile', 'language'])
    .where('id', '=', userId)
    .executeTakeFirst()
  const address = row?.proven_email ?? row?.proven_mobile ?? null
  if (row === undefined || address === null) return null
  return { address, language: storedLanguage(row.language) }
}

export interface StoredCode {
  readonly id: string
  readonly userId: string
  readonly kind: string
  readonly hash: string
  readonly sentTo: string
  readonly createdAt: Instant
  readonly expiresAt: Instant
}

/**
 * Stores a code, which replaces the previous code of this kind. A separate record for staff says that a code was sent,
 * with a masked address.
 */
export async function saveCode(db: Db, code: StoredCode): Promise<void> {
  const values = {
    code_hash: code.hash,
    sent_to: code.sentTo,
    created_ms: code.createdAt,
    expires_ms: code.expiresAt,
  }
  const sent = { user_id: code.userId, id: code.id, kind: code.kind, sent_to: maskAddress(code.sentTo) }
  await db
    .with('on_record', (by) => by.insertInto('code_sent').values({ ...sent, sent_ms: code.createdAt }))
    .insertInto('one_time_code')
    .values({ user_id: code.userId, kind: code.kind, ...values })
    .onConflict((conflict) => conflict.columns(['user_id', 'kind']).doUpdateSet(values))
    .execute()
}

export async function findCode(
  db: Db,
  userId: string,
  kind: string,
): Promise<{ hash: string; sentTo: string; expiresAt: Instant } | null> {
  const row = await db
    .selectFrom('one_time_code')
    .select(['code_hash', 'sent_to', 'expires_ms'])
    .where('user_id', '=', userId)
    .where('kind', '=', kind)
    .executeTakeFirst()
  return row ? { hash: row.code_hash, sentTo: row.sent_to, expiresAt: instant(row.expires_ms) } : null
}

/** Deletes a code, so that it works once. Of two concurrent calls, only one returns true. */
export async function takeCode(
  db: Db,
  { userId, kind, hash }: { readonly userId: string; readonly kind: string; readonly hash: string },
): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('one_time_code')
    .where('user_id', '=', userId)
    .where('kind', '=', kind)
    .where('code_hash', '=', hash)
    .executeTakeFirst()
  return numDeletedRows === 1n
}

export async function deleteExpiredCodes(db: Db, now: Instant): Promise<void> {
  await db.deleteFrom('one_time_code').where('expires_ms', '<=', BigInt(now)).execute()
}

/** Deletes the codes of all users, so that no code that was sent works any more. */
export async function deleteAllCodes(tx: Tx): Promise<void> {
  await tx.deleteFrom('one_time_code').execute()
}
