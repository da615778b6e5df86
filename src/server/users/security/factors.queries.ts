import { type Instant, instant } from '#core/time/instant.ts'
import type { Db, Tx } from '#server/platform/database/tables.ts'

/** The factors of a user in addition to the password. */
export interface Factors {
  readonly authenticator: boolean
  readonly passkeys: readonly Passkey[]
  readonly recoveryCodes: number
}

export interface Passkey {
  readonly id: string
  readonly credentialId: string
  readonly transports: readonly string[]
  readonly name: string
  readonly createdAt: Instant
  readonly usedAt: Instant | null
}

export async function findFactors(db: Db, userId: string): Promise<Factors> {
  const authenticator = await db
    .selectFrom('user_authenticator')
    .select('user_id')
    .where('user_id', '=', userId)
    .where('is_on', '=', true)
    .executeTakeFirst()
  const passkeys = await db
    .selectFrom('user_passkey')
    .select(['id', 'credential_id', 'transports', 'name', 'created_ms', 'used_ms'])
    .where('user_id', '=', userId)
    .orderBy('created_ms')
    .orderBy('id')
    .execute()
  const codes = await db
    .selectFrom('user_recovery_code')
    .select((of) => of.fn.countAll<bigint>().as('count'))
    .where('user_id', '=', userId)
    .executeTakeFirstOrThrow()
  return {
    authenticator: authenticator !== undefined,
    passkeys: passkeys.map((row) => ({
      id: row.id,
      credentialId: row.credential_id,
      transports: row.transports,
      name: row.name,
      createdAt: instant(row.created_ms),
      usedAt: row.used_ms === null ? null : instant(row.used_ms),
    })),
    recoveryCodes: Number(codes.count),
  }
}

/** Returns whether log-in needs a second step. Recovery codes alone do not count as one. */
export function hasSecondStep({ authenticator, passkeys }: Factors): boolean {
  return authenticator || passkeys.length > 0
}

/**
 * Stores the secret of an authenticator app, which becomes active with its first code. Returns false when the user
 * already has an active secret.
 */
export async function saveSecret(
  db: Db,
  { userId, sealed, at }: { readonly userId: string; readonly sealed: string; readonly at: Instant },
): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('user_authenticator')
    .values({ user_id: userId, secret: sealed, created_ms: at })
    .onConflict((conflict) =>
      conflict
        .column('user_id')
        .doUpdateSet({ secret: sealed, created_ms: at, last_step: 0 })
        .where('user_authenticator.is_on', '=', false),
    )
    .executeTakeFirstOrThrow()
  return numInsertedOrUpdatedRows === 1n
}

export async function findSecret(
  db: Db,
  userId: string,
): Promise<{ readonly sealed: string; readonly isOn: boolean } | null> {
  const row = await db
    .selectFrom('user_authenticator')
    .select(['secret', 'is_on'])
    .where('user_id', '=', userId)
    .executeTakeFirst()
  return row ? { sealed: row.secret, isOn: row.is_on } : null
}

/**
 * Stores the time step of a code as used. Returns false if this step or a later one was already used, so that no code
 * works twice. Also returns false if the secret is no longer `sealed`, the secret that the code was compared with.
 */
export async function takeStep(
  db: Db | Tx,
  userId: string,
  { sealed, step, turnOn = false }: { readonly sealed: string; readonly step: number; readonly turnOn?: boolean },
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('user_authenticator')
    .set({ last_step: step, is_on: true })
    .where('user_id', '=', userId)
    .where('secret', '=', sealed)
    .where('is_on', '=', !turnOn)
    .where('last_step', '<', BigInt(step))
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

export async function deleteAuthenticator(tx: Tx, userId: string): Promise<boolean> {
  const { numDeletedRows } = await tx.deleteFrom('user_authenticator').where('user_id', '=', userId).executeTakeFirst()
  return numDeletedRows === 1n
}

export async function insertPasskey(
  tx: Tx,
  passkey: Pick<Passkey, 'id' | 'credentialId' | 'transports' | 'name' | 'createdAt'> & {
    readonly userId: string
    readonly publicKey: Uint8Array
    readonly counter: number
  },
): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto('user_passkey')
    .values({
      user_id: passkey.userId,
      id: passkey.id,
      credential_id: passkey.credentialId,
      public_key: passkey.publicKey,
      counter: passkey.counter,
      transports: [...passkey.transports],
      name: passkey.name,
      created_ms: passkey.createdAt,
    })
    .onConflict((conflict) => conflict.column('credential_id').doNothing())
    .executeTakeFirstOrThrow()
  return numInsertedOrUpdatedRows === 1n
}

/** Finds a passkey by its WebAuthn credential id. */
export async function findPasskey(db: Db, credentialId: string) {
  const row = await db
    .selectFrom('user_passkey')
    .select(['user_id', 'id', 'public_key', 'counter', 'transports'])
    .where('credential_id', '=', credentialId)
    .executeTakeFirst()
  return (
    row && {
      userId: row.user_id,
      id: row.id,
      publicKey: row.public_key,
      counter: Number(row.counter),
      transports: row.transports,
    }
  )
}

/** Returns whether a user still has a passkey. */
export async function hasPasskey(tx: Tx, own: OwnPasskey): Promise<boolean> {
  const row = await tx
    .selectFrom('user_passkey')
    .select('id')
    .where('user_id', '=', own.userId)
    .where('id', '=', own.id)
    .executeTakeFirst()
  return row !== undefined
}

/**
 * Stores the new counter of a passkey and the time of its use. Returns false when a concurrent use has changed the
 * counter. Many passkeys always send 0.
 */
export async function markPasskeyUsed(
  db: Db,
  id: string,
  { from, to, at }: { readonly from: number; readonly to: number; readonly at: Instant },
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('user_passkey')
    .set({ counter: to, used_ms: at })
    .where('id', '=', id)
    .where('counter', '=', BigInt(from))
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

export async function renamePasskey(db: Db, own: OwnPasskey, name: string): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('user_passkey')
    .set({ name })
    .where('user_id', '=', own.userId)
    .where('id', '=', own.id)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

export async function deletePasskey(tx: Tx, own: OwnPasskey): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom('user_passkey')
    .where('user_id', '=', own.userId)
    .where('id', '=', own.id)
    .executeTakeFirst()
  return numDeletedRows === 1n
}

interface OwnPasskey {
  readonly userId: string
  readonly id: string
}

export async function replaceRecoveryCodes(tx: Tx, userId: string, hashes: readonly Uint8Array[]): Promise<void> {
  await tx.deleteFrom('user_recovery_code').where('user_id', '=', userId).execute()
  if (hashes.length === 0) return
  const rows = hashes.map((hash) => ({ user_id: userId, code_hash: hash }))
  await tx.insertInto('user_recovery_code').values(rows).execute()
}

/**
 * Deletes a recovery code that is used. Returns false when it does not exist, so only one of two concurrent calls
 * succeeds.
 */
export async function takeRecoveryCode(db: Db | Tx, userId: string, hash: Uint8Array): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('user_recovery_code')
    .where('user_id', '=', userId)
    .where('code_hash', '=', hash)
    .executeTakeFirst()
  return numDeletedRows === 1n
}
