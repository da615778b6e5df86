import { type Instant, instant } from '#core/time/instant.ts'
import type { SymbolPause } from '#server/market-data/catalogue/market-catalogue.ts'
import type { Db } from '#server/platform/database/tables.ts'

/** A time in which a symbol takes no orders. */
export interface StoredPause {
  readonly symbolId: number
  readonly why: SymbolPause
  readonly from: Instant
  readonly until: Instant
}

/** Reads the pauses that end after an instant, newest first. */
export async function readPauses(db: Db, after: Instant): Promise<StoredPause[]> {
  const rows = await db
    .selectFrom('symbol_pause')
    .selectAll()
    .where('until_ms', '>', BigInt(after))
    .orderBy('from_ms', 'desc')
    .orderBy('symbol_id')
    .execute()
  return rows.map((row) => ({
    symbolId: row.symbol_id,
    why: 'too_many_voids',
    from: instant(row.from_ms),
    until: instant(row.until_ms),
  }))
}

/** Why a symbol takes no orders at a moment. */
export function pauseAt(pauses: readonly StoredPause[], symbolId: number, at: Instant): SymbolPause | null {
  return pauses.find((pause) => pause.symbolId === symbolId && pause.from <= at && at < pause.until)?.why ?? null
}
