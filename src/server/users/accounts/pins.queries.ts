import type { Instant } from '#core/time/instant.ts'
import type { Db, Tx } from '#server/platform/database/tables.ts'

/** Returns the hash of a user's PIN. Null when none is set. */
export async function findPinHash(db: Db, userId: string): Promise<string | null> {
  const row = await db.selectFrom('app_user').select('pin_hash').where('id', '=', userId).executeTakeFirst()
  return row?.pin_hash ?? null
}

/**
 * Replaces the hash of a PIN if the stored hash is still `from`. Returns false otherwise. If an earlier PIN is
 * replaced, also stores the time of the change.
 */
export async function replacePinHash(
  db: Db | Tx,
  userId: string,
  { from, to, at }: { readonly from: string | null; readonly to: string; readonly at: Instant },
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('app_user')
    .set({ pin_hash: to, ...(from !== null && { pin_changed_ms: at }) })
    .where('id', '=', userId)
    .where('pin_hash', 'is not distinct from', from)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}
