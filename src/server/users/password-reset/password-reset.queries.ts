import { maskAddress } from '#core/accounts/mask-address.ts'
import { numbersByPlans } from '#core/accounts/mobile.ts'
import { phoneSplits, type ResetAddress } from '#core/accounts/reset-address.ts'
import type { Instant } from '#core/time/instant.ts'
import { deleteSessionsOf } from '#server/users/sessions/sessions.queries.ts'
import type { Db, Tx } from '#server/platform/database/tables.ts'
import { type Language, storedLanguage } from '#server/platform/i18n/messages.ts'
import { isDeviceOf } from '#server/users/sessions/devices.queries.ts'
import { noteSecurityChange } from '#server/users/security/security-change.queries.ts'
import { dropTickets } from '#server/users/security/tickets.ts'

export const RESET_PASSWORD = 'reset_password'

export interface ResetAccount {
  readonly id: string
  readonly username: string
}

/** A verified address, and the accounts that verified it. */
export interface ProvenAddress {
  /** The email address in lower case, or the phone number in the form that messages are sent to. */
  readonly recipient: string
  readonly language: Language
  /** Newest first, at least one. */
  readonly accounts: readonly [ResetAccount, ...ResetAccount[]]
}

/**
 * Finds the verified address for the typed text. Accounts that did not verify the address and accounts of bots do not
 * count. Blocked users count, because they may log in to leave. A number without dialling code, in the spelling of any
 * country, counts only when it means exactly one verified number.
 */
export async function findProvenAddress(db: Db, typed: ResetAddress): Promise<ProvenAddress | null> {
  const splits = typed.kind === 'phone' ? phoneSplits(typed.digits) : []
  const exact = [
    ...new Set(splits.flatMap(({ code, number }) => (code === null ? [number, `+${number}`] : [`${code}${number}`]))),
  ]
  const byPlans = typed.kind === 'phone' ? numbersByPlans(typed.digits).map(({ code, number }) => code + number) : []
  const national = splits.filter(({ code }) => code === null).map(({ number }) => number)
  const rows = await accountsOfPeople(db)
    .where((where) =>
      typed.kind === 'email'
        ? where('proven_email', '=', typed.email)
        : where.or([
            where('proven_mobile', 'in', [...exact, ...byPlans]),
            where.and([where('mobile', 'in', national), where('proven_mobile', 'is not', null)]),
          ]),
    )
    .execute()
  if (typed.kind === 'email') return grouped(rows, 'proven_email', typed.email)
  const numbers = new Set(rows.map(({ proven_mobile: number }) => number))
  const number = [`+${typed.digits}`, ...exact].find((one) => numbers.has(one))
  if (number !== undefined) return grouped(rows, 'proven_mobile', number)
  const [only] = numbers
  return only && numbers.size === 1 ? grouped(rows, 'proven_mobile', only) : null
}

/** Returns whether an account that verified the address has logged in with this device. */
export async function isDeviceOfAddress(db: Db, device: string, typed: ResetAddress): Promise<boolean> {
  const proven = await findProvenAddress(db, typed)
  return (
    proven !== null &&
    (await isDeviceOf(
      db,
      device,
      proven.accounts.map(({ id }) => id),
    ))
  )
}

/** Finds the accounts that verified an address. `recipient` is the form of the address that a message was sent to. */
export async function findRecipientAccounts(db: Db, recipient: string): Promise<ProvenAddress | null> {
  const column = recipient.includes('@') ? 'proven_email' : 'proven_mobile'
  return grouped(await accountsOfPeople(db).where(column, '=', recipient).execute(), column, recipient)
}

function accountsOfPeople(db: Db) {
  return db
    .selectFrom('app_user')
    .select(['id', 'username', 'language', 'proven_email', 'proven_mobile'])
    .where('is_bot', '=', false)
    .orderBy('created_ms', 'desc')
    .orderBy('id', 'desc')
}

type AccountRow = Awaited<ReturnType<ReturnType<typeof accountsOfPeople>['execute']>>[number]

function grouped(
  rows: readonly AccountRow[],
  column: 'proven_email' | 'proven_mobile',
  recipient: string,
): ProvenAddress | null {
  const [newest, ...others] = rows.filter((row) => row[column] === recipient)
  if (newest === undefined) return null
  const named = ({ id, username }: AccountRow): ResetAccount => ({ id, username })
  return {
    recipient,
    language: storedLanguage(newest.language),
    accounts: [named(newest), ...others.map(named)],
  }
}

export interface StoredReset {
  readonly id: string
  readonly requestHash: Uint8Array
  readonly linkHash: Uint8Array
  /** The form of the address that messages are sent to: see `ProvenAddress.recipient`. */
  readonly address: string
  readonly codeHash: string
  readonly createdAt: Instant
  readonly codeExpiresAt: Instant
  readonly expiresAt: Instant
}

/** Stores a reset request. For each account, stores a record that a code was sent, with the masked address. */
export async function insertReset(
  db: Db,
  reset: StoredReset,
  sent: readonly { id: string; userId: string }[],
): Promise<void> {
  const record = sent.map(({ id, userId }) => ({
    id,
    user_id: userId,
    kind: RESET_PASSWORD,
    sent_to: maskAddress(reset.address),
    sent_ms: reset.createdAt,
  }))
  await db
    .with('on_record', (by) => by.insertInto('code_sent').values(record))
    .insertInto('password_reset')
    .values({
      id: reset.id,
      request_hash: reset.requestHash,
      link_hash: reset.linkHash,
      address: reset.address,
      code_hash: reset.codeHash,
      created_ms: reset.createdAt,
      code_expires_ms: reset.codeExpiresAt,
      expires_ms: reset.expiresAt,
    })
    .execute()
}

/** Finds a reset request by the token hash of its link. */
export async function findResetByLink(
  db: Db,
  linkHash: Uint8Array,
  now: Instant,
): Promise<{ id: string; address: string } | null> {
  const row = await db
    .selectFrom('password_reset')
    .select(['id', 'address'])
    .where('link_hash', '=', linkHash)
    .where('expires_ms', '>', BigInt(now))
    .executeTakeFirst()
  return row ?? null
}

/**
 * Finds the reset request for a code: the request that the browser made, or the newest request of the address if the
 * client sends no secret. An unknown address is queried in the same way, so that both cases take equally long.
 */
export async function findResetByCode(
  db: Db,
  { address, requestHash, now }: { address: string; requestHash: Uint8Array | null; now: Instant },
): Promise<{ id: string; codeHash: string } | null> {
  const row = await db
    .selectFrom('password_reset')
    .select(['id', 'code_hash'])
    .where('address', '=', address)
    .where('code_expires_ms', '>', BigInt(now))
    .$if(requestHash !== null, (all) => all.where('request_hash', '=', requestHash ?? new Uint8Array()))
    .orderBy('created_ms', 'desc')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row ? { id: row.id, codeHash: row.code_hash } : null
}

/**
 * Deletes the request, sets the password and ends every session of the user. Returns false and changes nothing when the
 * request was already used, or when the account no longer has the address that the code was sent to.
 */
export async function replacePassword(
  tx: Tx,
  { userId, resetId, passwordHash, at }: { userId: string; resetId: string; passwordHash: string; at: Instant },
): Promise<boolean> {
  // The lock makes a concurrent change of the address wait, or makes its result visible here.
  const proven = await tx
    .selectFrom('app_user')
    .select(['proven_email', 'proven_mobile'])
    .where('id', '=', userId)
    .forUpdate()
    .executeTakeFirst()
  const used = await tx
    .deleteFrom('password_reset')
    .where('id', '=', resetId)
    .where('address', 'in', [proven?.proven_email ?? '', proven?.proven_mobile ?? ''])
    .returning('address')
    .executeTakeFirst()
  if (used === undefined) return false
  // Other codes and links that were sent to this address stop working.
  await tx.deleteFrom('password_reset').where('address', '=', used.address).execute()
  await tx.updateTable('app_user').set({ password_hash: passwordHash }).where('id', '=', userId).execute()
  await noteSecurityChange(tx, { userId, what: 'password', at })
  await dropTickets(tx, userId)
  await deleteSessionsOf(tx, userId)
  return true
}

export async function deleteExpiredResets(db: Db, now: Instant): Promise<void> {
  await db.deleteFrom('password_reset').where('expires_ms', '<=', BigInt(now)).execute()
}

/** Deletes all links and codes for a new password, e.g. after a backup was restored. */
export async function deleteAllResets(tx: Tx): Promise<void> {
  await tx.deleteFrom('password_reset').execute()
}
