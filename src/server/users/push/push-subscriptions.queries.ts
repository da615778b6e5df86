import { sql } from 'kysely'
import { z } from 'zod'
import type { PushTopic } from '#core/accounts/notices.ts'
import { deviceName } from '#core/accounts/device-name.ts'
import { type Instant, instant } from '#core/time/instant.ts'
import type { Ctx } from '#server/platform/context/context.ts'
import { lockName } from '#server/platform/database/lock-name.ts'
import type { Db, Tx } from '#server/platform/database/tables.ts'
import { pushSubscriptionPlace } from '#server/platform/encryption/sealed-details.ts'
import type { Vault } from '#server/platform/encryption/vault.ts'
import { storedLanguage } from '#server/platform/i18n/messages.ts'
import type { MessageAddress } from '#server/users/push/push-deliveries.queries.ts'
import type { PushAddress } from '#server/users/push/push-address.ts'

/** 10: the maximum number of devices of a user. */
const MAX_DEVICES = 10
const Address = z.object({ endpoint: z.string(), p256dh: z.string(), auth: z.string() })

/** Quiet hours from 22:00 to 08:00, until the user changes them. */
const NIGHT = { from: 22 * 60, to: 8 * 60 }

/** A device that shows notices, as its user sees it in the settings. */
interface PushDevice {
  readonly id: string
  readonly device: string
  readonly isCurrent: boolean
  readonly since: Instant
  readonly deliveredAt: Instant | null
  readonly amounts: boolean
  readonly quiet: { readonly from: number; readonly to: number } | null
}

export function openAddress(vault: Vault, id: string, sealed: string): PushAddress {
  return Address.parse(JSON.parse(vault.decrypt(sealed, pushSubscriptionPlace(id))))
}

/** Encrypts an address, and returns it with a fingerprint by which the database can find the address again. */
export function sealAddress(vault: Vault, id: string, address: PushAddress) {
  return {
    sealed: vault.encrypt(JSON.stringify(address), pushSubscriptionPlace(id)),
    endpoint_mark: vault.fingerprint(markText(address)),
  }
}

function markText({ endpoint }: PushAddress): string {
  return `push ${endpoint}`
}

interface NewSubscription {
  readonly userId: string
  readonly sessionHash: Uint8Array
  readonly keyId: number
  readonly address: PushAddress
  readonly zone: string
}

/**
 * Stores the device of a session, or the new address and time zone of this device. If an earlier session has the same
 * address, its device is deleted. If the user then has more than ten devices, the device is deleted that was silent the
 * longest.
 */
export async function saveSubscription(
  ctx: Pick<Ctx, 'db' | 'vault' | 'now' | 'newId'>,
  { userId, sessionHash, keyId, address, zone }: NewSubscription,
): Promise<void> {
  const now = ctx.now()
  await ctx.db.transaction().execute(async (tx) => {
    // The locks let only one transaction at a time store a device of this user or this address. Otherwise two could
    // together exceed the limit, or give one address to two sessions.
    const mark = Buffer.from(ctx.vault.fingerprint(markText(address))).toString('hex')
    for (const lock of [userId, mark]) await lockName(tx, `push ${lock}`)
    await tx
      .deleteFrom('push_subscription')
      .where('endpoint_mark', 'in', ctx.vault.fingerprints(markText(address)))
      .where('session_hash', '<>', sessionHash)
      .execute()
    const known = await tx
      .selectFrom('push_subscription')
      .select('id')
      .where('session_hash', '=', sessionHash)
      .executeTakeFirst()
    if (known !== undefined) {
      const changed = { ...sealAddress(ctx.vault, known.id, address), key_id: keyId, zone, seen_ms: now }
      await tx.updateTable('push_subscription').set(changed).where('session_hash', '=', sessionHash).execute()
      return
    }
    const id = ctx.newId()
    const row = {
      user_id: userId,
      id,
      session_hash: sessionHash,
      key_id: keyId,
      zone,
      quiet_from: NIGHT.from,
      quiet_to: NIGHT.to,
      created_ms: now,
      seen_ms: now,
      delivered_ms: null,
    }
    await tx
      .insertInto('push_subscription')
      .values({ ...row, ...sealAddress(ctx.vault, id, address) })
      .execute()
    await dropSilent(tx, userId)
  })
}

async function dropSilent(tx: Tx, userId: string): Promise<void> {
  await sql`delete from push_subscription where user_id = ${userId} and id in (
    select id from push_subscription where user_id = ${userId}
    order by greatest(seen_ms, delivered_ms) desc, created_ms desc, id offset ${MAX_DEVICES})`.execute(tx)
}

/** Lists the devices of a user, the oldest first. */
export async function listDevices(
  db: Db,
  { userId, sessionHash }: { readonly userId: string; readonly sessionHash: Uint8Array },
): Promise<PushDevice[]> {
  const rows = await db
    .selectFrom('push_subscription as p')
    .innerJoin('session as s', 's.token_hash', 'p.session_hash')
    .select(['p.id', 's.user_agent', 'p.session_hash', 'p.created_ms', 'p.delivered_ms', 'p.amounts'])
    .select(['p.quiet_from', 'p.quiet_to'])
    .where('p.user_id', '=', userId)
    .orderBy('p.created_ms')
    .orderBy('p.id')
    .execute()
  return rows.map((row) => ({
    id: row.id,
    device: deviceName(row.user_agent),
    isCurrent: Buffer.compare(row.session_hash, sessionHash) === 0,
    since: instant(row.created_ms),
    deliveredAt: row.delivered_ms === null ? null : instant(row.delivered_ms),
    amounts: row.amounts,
    quiet: row.quiet_from === null || row.quiet_to === null ? null : { from: row.quiet_from, to: row.quiet_to },
  }))
}

interface DeviceOf {
  readonly userId: string
  readonly id: string
}

/** Changes whether a device shows amounts, and its quiet hours. Returns whether the user has this device. */
export async function changeDevice(
  db: Db,
  { userId, id }: DeviceOf,
  { amounts, quiet, zone }: Pick<PushDevice, 'amounts' | 'quiet'> & { readonly zone: string },
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('push_subscription')
    .set({ amounts, zone, quiet_from: quiet?.from ?? null, quiet_to: quiet?.to ?? null })
    .where('user_id', '=', userId)
    .where('id', '=', id)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** Returns the address for messages to a device. Null if the user does not have this device. */
export async function findMessageAddress(db: Db, { userId, id }: DeviceOf): Promise<MessageAddress | null> {
  const row = await db
    .selectFrom('push_subscription as p')
    .innerJoin('app_user as u', 'u.id', 'p.user_id')
    .select(['p.key_id', 'p.sealed', 'u.language'])
    .where('p.user_id', '=', userId)
    .where('p.id', '=', id)
    .executeTakeFirst()
  return row === undefined
    ? null
    : { id, keyId: row.key_id, sealed: row.sealed, language: storedLanguage(row.language) }
}

/** Deletes a device with its waiting messages. Returns whether the user had this device. */
export async function removeDevice(db: Db, { userId, id }: DeviceOf): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('push_subscription')
    .where('user_id', '=', userId)
    .where('id', '=', id)
    .executeTakeFirst()
  return numDeletedRows === 1n
}

/** Deletes a device whose address has ended. A device that already has another address stays. */
export async function removeEndedDevice(
  db: Db,
  { userId, id, sealed }: DeviceOf & { readonly sealed: string },
): Promise<void> {
  await db
    .deleteFrom('push_subscription')
    .where('user_id', '=', userId)
    .where('id', '=', id)
    .where('sealed', '=', sealed)
    .execute()
}

/** Stores the time at which the push service accepted a message to the device. */
export async function noteDelivered(db: Db, { userId, id }: DeviceOf, now: Instant): Promise<void> {
  await db
    .updateTable('push_subscription')
    .set({ delivered_ms: now })
    .where('user_id', '=', userId)
    .where('id', '=', id)
    .execute()
}

/** Deletes devices that have neither opened the app nor received a message since `before`. */
export async function deleteSilentDevices(db: Db, before: Instant): Promise<void> {
  await sql`delete from push_subscription where greatest(seen_ms, delivered_ms) < ${before}`.execute(db)
}

/** Returns the user's choices of topics. Topics without a choice are missing. */
export async function findPushChoices(db: Db, userId: string): Promise<ReadonlyMap<PushTopic, boolean>> {
  const rows = await db.selectFrom('notice_push').select(['topic', 'is_on']).where('user_id', '=', userId).execute()
  return new Map(rows.map(({ topic, is_on }) => [topic, is_on]))
}

export async function savePushChoice(
  db: Db,
  { userId, topic, isOn }: { readonly userId: string; readonly topic: PushTopic; readonly isOn: boolean },
): Promise<void> {
  await db
    .insertInto('notice_push')
    .values({ user_id: userId, topic, is_on: isOn })
    .onConflict((conflict) => conflict.columns(['user_id', 'topic']).doUpdateSet({ is_on: isOn }))
    .execute()
}
