import { type Instant, instant } from '#core/time/instant.ts'
import type { Db } from '#server/platform/database/tables.ts'

/** The newest expiry of each symbol after `since` that already has its settlement price. */
export async function settledThrough(
  db: Db,
  symbolIds: readonly number[],
  since: Instant,
): Promise<ReadonlyMap<number, Instant>> {
  if (symbolIds.length === 0) return new Map()
  const decided = (table: 'settlement_price' | 'decided_price') =>
    db
      .selectFrom(table)
      .select(['symbol_id', 'expires_ms'])
      .where('symbol_id', 'in', symbolIds)
      .where('expires_ms', '>', BigInt(since))
      .orderBy('expires_ms')
      .execute()
  const rows = [...(await decided('settlement_price')), ...(await decided('decided_price'))].toSorted((a, b) =>
    Number(a.expires_ms - b.expires_ms),
  )
  return new Map(rows.map((row) => [row.symbol_id, instant(row.expires_ms)]))
}
