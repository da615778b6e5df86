import { pushKeyPlace } from '#server/platform/encryption/sealed-details.ts'
import { sealAgain, sealedAs, type Sealing, type Unsealed } from '#server/platform/encryption/resealing.ts'
import { openAddress, sealAddress } from '#server/users/push/push-subscriptions.queries.ts'

/** Encrypts the push keys and the addresses of devices with the newest key. Returns the number of rows. */
export async function resealPush(sealing: Sealing, which: Unsealed): Promise<number> {
  const { db, vault } = sealing
  const pattern = sealedAs(sealing, which)
  const keys = await db.selectFrom('push_key').select(['id', 'sealed']).where('sealed', 'not like', pattern).execute()
  for (const { id, sealed } of keys) {
    await db
      .updateTable('push_key')
      .set({ sealed: sealAgain(sealing, sealed, pushKeyPlace(id)) })
      .where('id', '=', id)
      .where('sealed', '=', sealed)
      .execute()
  }
  const devices = await db
    .selectFrom('push_subscription')
    .select(['id', 'sealed'])
    .where('sealed', 'not like', pattern)
    .execute()
  for (const { id, sealed } of devices) {
    await db
      .updateTable('push_subscription')
      .set(sealAddress(vault, id, openAddress(vault, id, sealed)))
      .where('id', '=', id)
      .where('sealed', '=', sealed)
      .execute()
  }
  return keys.length + devices.length
}
