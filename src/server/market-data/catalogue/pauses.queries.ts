import { sql } from 'kysely'
import { DAY_MS, type Instant, instant, later } from '#core/time/instant.ts'
import type { SymbolPause } from '#server/market-data/catalogue/market-catalogue.ts'
import type { Db } from '#server/platform/database/tables.ts'

/** A time in which a symbol accepts no orders. */
export interface StoredPause {
  readonly symbolId: number
  readonly why: SymbolPause
  readonly from: Instant
  /** Null until the provider's trade history for this time has been read. */
  readonly until: Instant | null
}

/** A symbol accepts no orders while the trade history of one of its sources has been unread for this long. */
const UNREAD_FOR_MS = 3 * DAY_MS

/** Reads the pauses that end after an instant, newest first. */
export async function readPauses(db: Db, after: Instant): Promise<StoredPause[]> {
  const voids = await db
    .selectFrom('symbol_pause')
    .selectAll()
    .where('until_ms', '>', BigInt(after))
    .orderBy('from_ms', 'desc')
    .orderBy('symbol_id')
    .execute()
  const unread = await unreadSince(db)
  return [
    ...unread.map(({ symbolId, since }) => ({
      symbolId,
      why: 'record_unread' as const,
      from: later(since, UNREAD_FOR_MS),
      until: null,
    })),
    ...voids.map((row) => ({
      symbolId: row.symbol_id,
      why: 'too_many_voids' as const,
      from: instant(row.from_ms),
      until: instant(row.until_ms),
    })),
  ]
}

/** Symbols with an unread trade history of a source, with the time when the oldest unread one was noted. */
export async function unreadSince(db: Db): Promise<{ readonly symbolId: number; readonly since: Instant }[]> {
  const rows = await db
    .selectFrom('record_check')
    .select(['symbol_id', sql<bigint>`min(noted_ms)`.as('noted_ms')])
    .where('read_ms', 'is', null)
    .groupBy('symbol_id')
    .orderBy('symbol_id')
    .execute()
  return rows.map((row) => ({ symbolId: row.symbol_id, since: instant(row.noted_ms) }))
}

/** Why a symbol accepts no orders at a moment. */
export function pauseAt(pauses: readonly StoredPause[], symbolId: number, at: Instant): SymbolPause | null {
  const isOn = ({ from, until }: StoredPause): boolean => from <= at && (until === null || at < until)
  return pauses.find((pause) => pause.symbolId === symbolId && isOn(pause))?.why ?? null
}
