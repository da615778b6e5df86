import { linesOfSymbol } from '#core/markets/log-text.ts'
import { type SourceLine, sourceLine } from '#core/orders/rules/source-line.ts'
import { DAY_MS, type Instant, later, MINUTE_MS } from '#core/time/instant.ts'
import { payloadsBetween } from '#server/market-data/tick-log/tick-batch.queries.ts'
import type { Db } from '#server/platform/database/tables.ts'

export interface LineQuery {
  readonly symbolId: number
  readonly source: string
  /** The first and the last expiry. The result must have a trade of the source before the first and after the last. */
  readonly from: Instant
  readonly to: Instant
}

/** How far the log is read around expiries until it has a trade on both sides: first a minute, at most a day. */
const REACHES_MS = [MINUTE_MS, 30 * MINUTE_MS, DAY_MS] as const

/**
 * Reads what the log has of a source around expiries: its prices, late evidence, and the trades left out. Reads further
 * when the log has no trade of the source before or after the expiries.
 */
export async function loadSourceLine(db: Db, query: LineQuery): Promise<SourceLine> {
  let line: SourceLine = { prices: [], leftOut: [] }
  for (const reachMs of REACHES_MS) {
    const texts = await payloadsBetween(db, {
      from: later(query.from, -reachMs),
      to: later(query.to, reachMs),
      hasLate: true,
    })
    line = sourceLine(
      texts.flatMap((text) => linesOfSymbol(text, query.symbolId)),
      query,
    )
    const { prices } = line
    if ((prices[0]?.time ?? Infinity) <= query.from && (prices.at(-1)?.time ?? 0) > query.to) break
  }
  return line
}
