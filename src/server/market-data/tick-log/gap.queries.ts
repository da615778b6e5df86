import { instant, type Instant } from '#core/time/instant.ts'
import type { Db } from '#server/platform/database/tables.ts'

/** A time in which the prices of a symbol were missed although its market was open. */
export interface Gap {
  readonly symbolId: number
  /** Time of the last tick or heartbeat before the gap. */
  readonly from: Instant
  /** Time of the first tick or heartbeat after the gap. */
  readonly until: Instant
}

export async function insertGap(db: Db, gap: Gap, noticedAt: Instant): Promise<void> {
  await db
    .insertInto('price_gap')
    .values({ symbol_id: gap.symbolId, from_ms: gap.from, to_ms: gap.until, noticed_ms: noticedAt })
    .onConflict((conflict) => conflict.columns(['symbol_id', 'from_ms']).doNothing())
    .execute()
}

/** The gaps of a symbol that overlap a time range, ascending. */
export async function gapsBetween(db: Db, { symbolId, from, until }: Gap): Promise<Gap[]> {
  const rows = await db
    .selectFrom('price_gap')
    .selectAll()
    .where('symbol_id', '=', symbolId)
    .where('from_ms', '<', BigInt(until))
    .where('to_ms', '>', BigInt(from))
    .orderBy('from_ms')
    .execute()
  return rows.map((row) => ({ symbolId, from: instant(row.from_ms), until: instant(row.to_ms) }))
}
