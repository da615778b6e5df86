import { sql } from 'kysely'
import { instant, type Instant } from '#core/time/instant.ts'
import type { Db } from '#server/platform/database/tables.ts'
import { chunk } from '#server/platform/concurrency/chunk.ts'
import { type Fence, holds } from '#server/platform/cluster/lease.queries.ts'

/** A time in which prices of a symbol may have been missed, however short: its candles are incomplete. */
export interface TickHole {
  readonly symbolId: number
  /** The last moment up to which the log is known to be complete. */
  readonly from: Instant
  /** The end of the hole, exclusive. A hole whose end equals its beginning is ignored. */
  readonly until: Instant
}

/** 5,000 rows of 3 values per statement, because PostgreSQL accepts at most 65,535 values. */
const ROWS_AT_ONCE = 5_000

/**
 * Stores holes. A stored hole is never changed. With a fence, holes are stored only while the writer holds the lease.
 */
export async function insertHoles(db: Db, holes: readonly TickHole[], fence: Fence | null = null): Promise<void> {
  if (fence !== null) {
    await sql`
      insert into tick_hole (symbol_id, from_ms, to_ms)
      select h.symbol_id, h.from_ms, h.to_ms
      from unnest(
        ${holes.map(({ symbolId }) => symbolId)}::int4[], ${holes.map(({ from }) => from)}::int8[],
        ${holes.map(({ until }) => until)}::int8[]
      ) as h (symbol_id, from_ms, to_ms), ${holds(fence)} as held
      on conflict do nothing`.execute(db)
    return
  }
  for (const some of chunk(holes, ROWS_AT_ONCE)) {
    await db
      .insertInto('tick_hole')
      .values(some.map(({ symbolId, from, until }) => ({ symbol_id: symbolId, from_ms: from, to_ms: until })))
      .onConflict((conflict) => conflict.columns(['symbol_id', 'from_ms', 'to_ms']).doNothing())
      .execute()
  }
}

/** Finds the holes of a symbol that overlap a time range, ascending. */
export async function holesBetween(db: Db, { symbolId, from, until }: TickHole): Promise<TickHole[]> {
  const rows = await db
    .selectFrom('tick_hole')
    .selectAll()
    .where('symbol_id', '=', symbolId)
    .where('from_ms', '<', BigInt(until))
    .where('to_ms', '>', BigInt(from))
    .orderBy('from_ms')
    .execute()
  return rows.map(toHole)
}

/** Finds the holes of all symbols that end after a moment. */
export async function holesAfter(db: Db, at: Instant): Promise<TickHole[]> {
  const rows = await db.selectFrom('tick_hole').selectAll().where('to_ms', '>', BigInt(at)).orderBy('from_ms').execute()
  return rows.map(toHole)
}

/** Finds the symbols whose time before their first price is stored as a hole. */
export async function symbolsWithBeginning(db: Db): Promise<ReadonlySet<number>> {
  const rows = await db.selectFrom('tick_hole').select('symbol_id').where('from_ms', '=', 0n).execute()
  return new Set(rows.map((row) => row.symbol_id))
}

function toHole(row: { symbol_id: number; from_ms: bigint; to_ms: bigint }): TickHole {
  return { symbolId: row.symbol_id, from: instant(row.from_ms), until: instant(row.to_ms) }
}
