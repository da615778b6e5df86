import { type Instant, instant } from '#core/time/instant.ts'
import type { Db } from '#server/platform/database/tables.ts'

/** The newest expiry of each symbol after `since` that already has its settlement price. */
export async function settledThrough(
  db: Db,
  symbolIds: readonly number[],
  since: Instant,
): Promise<ReadonlyMap<number, Instant>> {
  if (symbolIds.length === 0) return new Map()
  const rows = await db
    .selectFrom('settlement_price')
    .select(['symbol_id', 'expires_ms'])
    .where('symbol_id', 'in', symbolIds)
    .where('expires_ms', '>', BigInt(since))
    .orderBy('expires_ms')
    .execute()
  return new Map(rows.map((row) => [row.symbol_id, instant(row.expires_ms)]))
}
