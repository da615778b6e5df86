import { createECDH } from 'node:crypto'
import type { Ctx } from '#server/platform/context/context.ts'
import { pushKeyPlace } from '#server/platform/encryption/sealed-details.ts'

/** A VAPID key: it identifies this installation to push services (RFC 8292). The private half is never logged or sent. */
export interface PushKey {
  readonly id: number
  readonly publicKey: string
  readonly privateKey: string
}

type Parts = Pick<Ctx, 'db' | 'vault' | 'now'>

/** Returns the key that new subscriptions use. The first server that uses a database creates the key. */
export async function newestPushKey(ctx: Parts): Promise<PushKey> {
  const known = await readNewest(ctx)
  if (known !== null) return known
  await addPushKey(ctx, 1)
  const stored = await readNewest(ctx)
  if (stored === null) throw new Error('the push key is missing after it was written')
  return stored
}

/**
 * Creates a key that new subscriptions use. Devices keep the key of their subscription until their app starts again, which
 * renews it. Returns the public half.
 */
export async function renewPushKey(ctx: Parts): Promise<string> {
  const { id } = await newestPushKey(ctx)
  await addPushKey(ctx, id + 1)
  return (await newestPushKey(ctx)).publicKey
}

/** If two servers add a key with the same id at the same time, the second key is dropped. */
async function addPushKey({ db, vault, now }: Parts, id: number): Promise<void> {
  const pair = createECDH('prime256v1')
  const publicKey = pair.generateKeys('base64url')
  const sealed = vault.encrypt(padded(pair.getPrivateKey()), pushKeyPlace(id))
  await db
    .insertInto('push_key')
    .values({ id, public_key: publicKey, sealed, created_ms: now() })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/** Returns a key by its id, for the subscriptions that were made with it. */
export async function getPushKey({ db, vault }: Pick<Ctx, 'db' | 'vault'>, id: number): Promise<PushKey> {
  return toKey(vault, await db.selectFrom('push_key').selectAll().where('id', '=', id).executeTakeFirstOrThrow())
}

/** Returns the id of a public key of this installation. Null if the public key belongs to another installation. */
export async function findPushKeyId({ db }: Pick<Ctx, 'db'>, publicKey: string): Promise<number | null> {
  const row = await db.selectFrom('push_key').select('id').where('public_key', '=', publicKey).executeTakeFirst()
  return row?.id ?? null
}

async function readNewest({ db, vault }: Pick<Ctx, 'db' | 'vault'>): Promise<PushKey | null> {
  const row = await db.selectFrom('push_key').selectAll().orderBy('id', 'desc').limit(1).executeTakeFirst()
  return row ? toKey(vault, row) : null
}

function toKey(vault: Ctx['vault'], row: { id: number; public_key: string; sealed: string }): PushKey {
  return {
    id: row.id,
    publicKey: row.public_key,
    privateKey: vault.decrypt(row.sealed, pushKeyPlace(row.id)),
  }
}

/**
 * Returns the private key as 32 bytes in base64url. A key with leading zeros can have fewer bytes, which push libraries
 * refuse.
 */
function padded(privateKey: Buffer): string {
  return Buffer.concat([Buffer.alloc(32 - privateKey.length), privateKey]).toString('base64url')
}
