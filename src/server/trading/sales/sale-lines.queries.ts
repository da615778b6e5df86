import { type LogLine, linesOfSymbol } from '#core/markets/log-text.ts'
import { MAX_SALE_WAIT_MS, SALE_DELAY_MS, SALE_LOOK_MS } from '#core/orders/sale/sale-rule.ts'
import { type Instant, instant, later, SECOND_MS } from '#core/time/instant.ts'
import { payloadsBetween } from '#server/market-data/tick-log/tick-batch.queries.ts'
import type { Db } from '#server/platform/database/tables.ts'

/** The last sequence number of the tick log, and when it was written. */
export interface LogEnd {
  readonly q: number
  readonly writtenAt: Instant
}

/** Reads the end of the tick log. Null while the log is empty. */
export async function readLogEnd(db: Db): Promise<LogEnd | null> {
  const row = await db
    .selectFrom('tick_batch')
    .select(['last_seq', 'written_ms'])
    .orderBy('first_seq', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row === undefined ? null : { q: Number(row.last_seq), writtenAt: instant(row.written_ms) }
}

/** Returns the lines of a symbol in the tick log, around some requests. */
export type LinesOf = (symbolId: number) => readonly LogLine[]

/**
 * Reads the lines that can decide requests between two instants. Lines after the sequence number `until` are left out.
 */
export async function loadSaleLines(db: Db, from: Instant, to: Instant, until: number): Promise<LinesOf> {
  const payloads = await payloadsBetween(db, {
    from: later(from, -SALE_LOOK_MS),
    to: later(to, SALE_DELAY_MS + MAX_SALE_WAIT_MS + SECOND_MS),
    hasLate: false,
  })
  const known = new Map<number, readonly LogLine[]>()
  return (symbolId) => {
    let lines = known.get(symbolId)
    if (lines === undefined) {
      lines = payloads.flatMap((text) => linesOfSymbol(text, symbolId))
      const end = lines.findIndex((line) => line.kind === 't' && line.q > until)
      if (end !== -1) lines = lines.slice(0, end)
      known.set(symbolId, lines)
    }
    return lines
  }
}
