import { assert } from '#core/result.ts'
import type { Instant } from '#core/time/instant.ts'
import type { Db, Tx } from '#server/platform/database/tables.ts'

/**
 * The purpose of a file. A profile picture is visible to anyone who knows its name, all others only to the operator.
 */
const PURPOSES = ['receipt', 'profile', 'ticket'] as const
export type Purpose = (typeof PURPOSES)[number]

/** Reads the purpose of a stored file. */
export function readPurpose(text: string): Purpose {
  const purpose = PURPOSES.find((one) => one === text)
  assert(purpose, 'an upload has a known purpose')
  return purpose
}

export interface NewUpload {
  readonly userId: string
  readonly name: string
  readonly purpose: Purpose
  readonly mediaType: string
  readonly size: number
}

export async function insertUpload(db: Db, upload: NewUpload, now: Instant): Promise<void> {
  await db
    .insertInto('upload')
    .values({
      user_id: upload.userId,
      name: upload.name,
      purpose: upload.purpose,
      media_type: upload.mediaType,
      size: upload.size,
      changed_ms: now,
    })
    .execute()
}

/** Marks an upload as used or unused. Returns false when this user does not have the upload any more. */
export async function markUse(
  tx: Tx,
  { userId, name, inUse, now }: { userId: string; name: string; inUse: boolean; now: Instant },
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('upload')
    .set({ in_use: inUse, changed_ms: now })
    .where('user_id', '=', userId)
    .where('name', '=', name)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

export async function findUpload(
  db: Db,
  name: string,
): Promise<{ readonly purpose: string; readonly mediaType: string } | null> {
  const row = await db
    .selectFrom('upload')
    .select(['purpose', 'media_type'])
    .where('name', '=', name)
    .executeTakeFirst()
  return row ? { purpose: row.purpose, mediaType: row.media_type } : null
}

/** Deletes uploads unused since `before`, and returns their names. */
export async function deleteUnused(db: Db, before: Instant): Promise<string[]> {
  const rows = await db
    .deleteFrom('upload')
    .where('in_use', '=', false)
    .where('changed_ms', '<', BigInt(before))
    .returning('name')
    .execute()
  return rows.map(({ name }) => name)
}

export async function knownNames(db: Db, names: readonly string[]): Promise<Set<string>> {
  if (names.length === 0) return new Set()
  const rows = await db.selectFrom('upload').select('name').where('name', 'in', names).execute()
  return new Set(rows.map(({ name }) => name))
}

/** The media type of each of these uploads, by name. */
export async function mediaTypesOf(db: Db, names: readonly string[]): Promise<ReadonlyMap<string, string>> {
  if (names.length === 0) return new Map()
  const rows = await db.selectFrom('upload').select(['name', 'media_type']).where('name', 'in', names).execute()
  return new Map(rows.map((row) => [row.name, row.media_type]))
}
