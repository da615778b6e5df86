import { DAY_MS, type Instant } from '#core/time/instant.ts'
import { hashToken, sessionKey } from '#server/platform/credentials/session-token.ts'
import type { Db, Tx } from '#server/platform/database/tables.ts'

/** 180 days: a staff device that was used for a log-in stays known for this time. */
export const STAFF_DEVICE_MS = 180 * DAY_MS

/** Returns a short key of the device when this staff member has logged in with it before. Otherwise null. */
export async function knownStaffDevice(db: Db, staffId: string, device: string | null): Promise<string | null> {
  const hash = device === null ? null : hashToken(device)
  if (hash === null) return null
  const row = await db
    .selectFrom('staff_device')
    .select('staff_id')
    .where('staff_id', '=', staffId)
    .where('token_hash', '=', hash)
    .executeTakeFirst()
  return row ? sessionKey(hash) : null
}

/** Returns whether this staff member has logged in with any device that is still known. */
export async function hasLoggedInBefore(db: Db | Tx, staffId: string): Promise<boolean> {
  const row = await db
    .selectFrom('staff_device')
    .select('staff_id')
    .where('staff_id', '=', staffId)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

/** Returns whether any staff member has logged in with this device. */
export async function isKnownStaffDevice(db: Db, device: string): Promise<boolean> {
  const hash = hashToken(device)
  if (hash === null) return false
  const row = await db
    .selectFrom('staff_device')
    .select('staff_id')
    .where('token_hash', '=', hash)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

export async function rememberStaffDevice(tx: Tx, staffId: string, tokenHash: Uint8Array, at: Instant): Promise<void> {
  await tx
    .insertInto('staff_device')
    .values({ staff_id: staffId, token_hash: tokenHash, seen_ms: at })
    .onConflict((conflict) => conflict.columns(['staff_id', 'token_hash']).doUpdateSet({ seen_ms: at }))
    .execute()
}

export async function deleteOldStaffDevices(db: Db, before: Instant): Promise<void> {
  await db.deleteFrom('staff_device').where('seen_ms', '<=', BigInt(before)).execute()
}
