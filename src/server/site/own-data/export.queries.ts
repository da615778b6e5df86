import { predictLength } from 'client-zip'
import { sql } from 'kysely'
import { type Instant, instant } from '#core/time/instant.ts'
import { lockName } from '#server/platform/database/lock-name.ts'
import type { Db, Tx } from '#server/platform/database/tables.ts'
import type { Language } from '#server/platform/i18n/messages.ts'

/** The facts about a data copy that its user sees. */
export interface DataExport {
  readonly id: string
  readonly requestedAt: Instant
  readonly readyAt: Instant | null
  readonly failedAt: Instant | null
  readonly expiresAt: Instant | null
  readonly bytes: number
}

/** A data copy that this server is making. Until the claim expires, no other server continues the copy. */
export interface ClaimedExport {
  readonly userId: string
  readonly id: string
  readonly claim: number
  readonly language: Language
  /** The index of the file that is made next, in `DATA_FILES`. `place` is the place in this file. */
  readonly file: number
  readonly place: string | null
}

/** A part of a file. Binary content is in base64. */
export interface Portion {
  readonly name: string
  /** Encrypted. */
  readonly content: string
  readonly isText: boolean
}

const NOW = sql`(extract(epoch from clock_timestamp()) * 1000)::int8`
/** 60 s: making a portion takes less than a second. If a server stores none for this time, another server continues. */
const CLAIM_MS = sql.lit(60_000)
/** 7 days. */
const RETENTION_MS = sql.lit(604_800_000)
/** 5 tries: a portion that failed so often would always fail, so the copy is given up. */
const MAX_TRIES = 5

const timeOf = (ms: bigint | null) => (ms === null ? null : instant(ms))

/** Finds the newest data copy of a user that has not expired, or null. */
export async function findNewestExport(db: Db | Tx, userId: string): Promise<DataExport | null> {
  const row = await db
    .selectFrom('data_export')
    .selectAll()
    .where('user_id', '=', userId)
    .where(sql<boolean>`coalesce(expires_ms, 9e15) > ${NOW}`)
    .orderBy('asked_ms', 'desc')
    .limit(1)
    .executeTakeFirst()
  if (row === undefined) return null
  return {
    id: row.id,
    requestedAt: instant(row.asked_ms),
    readyAt: timeOf(row.ready_ms),
    failedAt: timeOf(row.failed_ms),
    expiresAt: timeOf(row.expires_ms),
    bytes: Number(row.bytes),
  }
}

/**
 * Requests a copy. Returns false when the user requested another copy in the last 24 hours, unless that copy failed.
 * Concurrent requests of one user run one after the other.
 */
export async function insertExport(
  tx: Tx,
  { userId, id, language }: { readonly userId: string; readonly id: string; readonly language: Language },
): Promise<boolean> {
  await lockName(tx, `data_export ${userId}`)
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto('data_export')
    .columns(['user_id', 'id', 'language'])
    .expression(
      sql`select ${userId}::uuid, ${id}::uuid, ${language} where not exists (
        select from data_export where user_id = ${userId} and failed_ms is null and asked_ms > ${NOW} - 86400000)`,
    )
    .executeTakeFirst()
  return numInsertedOrUpdatedRows === 1n
}

/**
 * Claims the oldest requested copy that no server is making now. A copy whose portion failed five times is first marked
 * as failed.
 */
export async function claimExport(db: Db): Promise<ClaimedExport | null> {
  await sql`
    update data_export set failed_ms = ${NOW}
    where ready_ms is null and failed_ms is null and tries >= ${MAX_TRIES} and claim_until_ms < ${NOW}`.execute(db)
  const { rows } = await sql<{
    user_id: string
    id: string
    claim: number
    language: Language
    file: number
    place: string | null
  }>`
    update data_export e set claim = e.claim + 1, claim_until_ms = ${NOW} + ${CLAIM_MS}, tries = e.tries + 1
    from (
      select user_id, id from data_export where ready_ms is null and failed_ms is null and claim_until_ms < ${NOW}
      order by asked_ms limit 1 for update skip locked
    ) free where e.user_id = free.user_id and e.id = free.id
    returning e.user_id, e.id, e.claim, e.language, e.file, e.place`.execute(db)
  const [row] = rows
  return row === undefined ? null : { userId: row.user_id, ...row }
}

/**
 * Stores a portion, and the place where the next portion starts. Returns false when another server has claimed the copy
 * since.
 */
export async function storePortion(
  tx: Tx,
  { userId, id, claim }: ClaimedExport,
  { portion, next, bytes }: { portion: Portion | null; next: { file: number; place: string | null }; bytes: number },
): Promise<boolean> {
  const { rows } = await sql<{ portions: number }>`
    update data_export set claim_until_ms = ${NOW} + ${CLAIM_MS}, tries = 1, file = ${next.file}, place = ${next.place},
      portions = portions + ${portion === null ? 0 : 1}, bytes = bytes + ${bytes}::int8
    where user_id = ${userId} and id = ${id} and claim = ${claim} returning portions`.execute(tx)
  const [row] = rows
  if (row === undefined) return false
  if (portion === null) return true
  await tx
    .insertInto('data_export_portion')
    .values({
      user_id: userId,
      export_id: id,
      n: row.portions,
      name: portion.name,
      content: portion.content,
      is_text: portion.isText,
    })
    .execute()
  return true
}

/**
 * Marks a copy as ready, and adds the bytes of the zip format to its size. A trigger in the database creates the notice
 * to the user.
 */
export async function finishExport(db: Db, { userId, id, claim }: ClaimedExport): Promise<void> {
  const files = await listFiles(db, userId, id)
  // The zip does not compress the files, so the size of its headers depends only on the file names.
  const headers = Number(predictLength(files.map(({ name }) => ({ name, size: 0 }))))
  await sql`
    update data_export set ready_ms = ${NOW}, expires_ms = ${NOW} + ${RETENTION_MS}, bytes = bytes + ${headers}::int8
    where user_id = ${userId} and id = ${id} and claim = ${claim} and ready_ms is null`.execute(db)
}

/**
 * Lists the files of a copy, each with its first and last portion. Returns null when the copy is not ready or has
 * expired.
 */
export async function listExportFiles(
  db: Db,
  userId: string,
  id: string,
): Promise<{
  readonly readyAt: Instant
  readonly files: readonly { name: string; first: number; last: number }[]
} | null> {
  const found = await db
    .selectFrom('data_export')
    .select('ready_ms')
    .where('user_id', '=', userId)
    .where('id', '=', id)
    .where(sql<boolean>`expires_ms > ${NOW}`)
    .executeTakeFirst()
  const readyMs = found?.ready_ms ?? null
  if (readyMs === null) return null
  return { readyAt: instant(readyMs), files: await listFiles(db, userId, id) }
}

async function listFiles(db: Db, userId: string, id: string) {
  const { rows } = await sql<{ name: string; first: number; last: number }>`
    select name, min(n) as first, max(n) as last from data_export_portion
    where user_id = ${userId} and export_id = ${id} group by name order by min(n)`.execute(db)
  return rows
}

export async function readPortion(
  db: Db,
  { userId, id, n }: { readonly userId: string; readonly id: string; readonly n: number },
): Promise<Pick<Portion, 'content' | 'isText'> | null> {
  const row = await db
    .selectFrom('data_export_portion')
    .select(['content', 'is_text'])
    .where('user_id', '=', userId)
    .where('export_id', '=', id)
    .where('n', '=', n)
    .executeTakeFirst()
  return row ? { content: row.content, isText: row.is_text } : null
}

/** Deletes expired copies, and copies that failed a week ago. */
export async function deleteOldExports(db: Db): Promise<void> {
  await sql`delete from data_export where coalesce(expires_ms, failed_ms + ${RETENTION_MS}) < ${NOW}`.execute(db)
}

/** Deletes all data copies, because the key that encrypts them changes. Returns their number. */
export async function deleteAllExports(db: Db): Promise<number> {
  const { numDeletedRows } = await db.deleteFrom('data_export').executeTakeFirst()
  return Number(numDeletedRows)
}
