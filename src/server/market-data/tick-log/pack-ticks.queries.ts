import { sql } from 'kysely'
import type { Instant } from '#core/time/instant.ts'
import type { Db } from '#server/platform/database/tables.ts'

/** Packs the oldest batches written before `before`, about `maxTicks` ticks. Returns the number of batches. */
export async function packTicks(db: Db, before: Instant, maxTicks: number): Promise<number> {
  const { rows } = await sql<{
    packed: number
  }>`select pack_ticks(${before}::int8, ${maxTicks}::int4) as packed`.execute(db)
  return rows[0]?.packed ?? 0
}

/**
 * Removes the payloads of the oldest pack written before `before`, where the database finds that nothing needs them. Returns the number of
 * batches, or null when no pack is due.
 */
export async function dropTicks(db: Db, before: Instant): Promise<number | null> {
  const { rows } = await sql<{ dropped: number | null }>`select drop_ticks(${before}::int8) as dropped`.execute(db)
  return rows[0]?.dropped ?? null
}
