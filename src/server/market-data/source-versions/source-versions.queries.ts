import type { SourceConfiguration } from '#core/markets/sources/source-configuration.ts'
import { type Instant, instant } from '#core/time/instant.ts'
import type { Db } from '#server/platform/database/tables.ts'

/** A published configuration of the price sources. */
export interface SourceVersion {
  readonly number: number
  readonly text: string
  /** The hash of the text as a leaf of the register. The header lines of the tick log contain this hash. */
  readonly hash: Uint8Array
  readonly seenAt: Instant
  /** From this time on, the configuration applies to new orders. */
  readonly appliesAt: Instant
}

/**
 * The newest published configuration and the configuration in force. They differ while the newest one is only
 * announced.
 */
export interface SourceVersions {
  readonly newest: SourceVersion | null
  readonly inForce: SourceVersion | null
}

interface Row {
  readonly number: number
  readonly text: string
  readonly hash: Uint8Array
  readonly seen_ms: bigint
  readonly applies_ms: bigint
}

export async function readSourceVersions(db: Db, now: Instant): Promise<SourceVersions> {
  const newest = () => db.selectFrom('source_version').selectAll().orderBy('number', 'desc').limit(1)
  const [last, applied] = [
    await newest().executeTakeFirst(),
    await newest().where('applies_ms', '<=', BigInt(now)).executeTakeFirst(),
  ]
  return { newest: last ? toVersion(last) : null, inForce: applied ? toVersion(applied) : null }
}

export async function findSourceVersion(db: Db, number: number): Promise<SourceVersion | null> {
  const row = await db.selectFrom('source_version').selectAll().where('number', '=', number).executeTakeFirst()
  return row ? toVersion(row) : null
}

export async function findSourceVersionByHash(db: Db, hash: Uint8Array): Promise<SourceVersion | null> {
  const row = await db.selectFrom('source_version').selectAll().where('hash', '=', hash).executeTakeFirst()
  return row ? toVersion(row) : null
}

/** Lists all configurations, newest first. */
export async function listSourceVersions(db: Db): Promise<SourceVersion[]> {
  const rows = await db.selectFrom('source_version').selectAll().orderBy('number', 'desc').execute()
  return rows.map(toVersion)
}

/** Adds a configuration. Returns false when another server has added one with the same number. */
export async function insertSourceVersion(db: Db, version: SourceVersion): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('source_version')
    .values({
      number: version.number,
      text: version.text,
      hash: version.hash,
      seen_ms: version.seenAt,
      applies_ms: version.appliesAt,
    })
    .onConflict((conflict) => conflict.column('number').doNothing())
    .executeTakeFirstOrThrow()
  return numInsertedOrUpdatedRows === 1n
}

/** Parses the text of a configuration. */
export function configurationOf({ text }: Pick<SourceVersion, 'text'>): SourceConfiguration {
  return JSON.parse(text) as SourceConfiguration
}

function toVersion(row: Row): SourceVersion {
  return {
    number: row.number,
    text: row.text,
    hash: row.hash,
    seenAt: instant(row.seen_ms),
    appliesAt: instant(row.applies_ms),
  }
}
