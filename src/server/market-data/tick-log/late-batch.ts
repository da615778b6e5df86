import { lateHeaderLine, type LeftOut, noteLine } from '#core/markets/log-text.ts'
import type { RecordedPrice } from '#core/markets/sources/judge-record.ts'
import type { Instant } from '#core/time/instant.ts'
import { evidenceLine } from '#server/market-data/tick-log/tick-text.ts'

/** Prices of a source's record that the log lacks, and the numbers of trades around them that are not prices. A late batch has one price or more. */
export interface LateBatch {
  /** Hash of the source configuration in use. */
  readonly sources: string
  readonly incident: string
  readonly symbolId: number
  readonly source: string
  /** The prices that the log lacks, in ascending order. */
  readonly prices: readonly RecordedPrice[]
  /** The left-out trades, in ascending order. */
  readonly leftOut: readonly Pick<LeftOut, 'from' | 'to' | 'why'>[]
}

/**
 * Formats a late batch that begins at `firstSeq`. Lines without a sequence number come first, because a batch must end
 * with a numbered line.
 */
export function lateText(
  { sources, incident, symbolId, source, prices, leftOut }: LateBatch,
  firstSeq: number,
  receivedAt: Instant,
): { payload: string; times: readonly Instant[] } {
  const notes = leftOut.map((range) => noteLine({ kind: 'x', symbolId, source, ...range }))
  const lines = prices.map(({ ref, price, volume, time }, at) =>
    evidenceLine({ seq: firstSeq + at, symbolId, price, volume, time, receivedAt, source, ref }),
  )
  const payload = `${[lateHeaderLine(sources, incident), ...notes, ...lines].join('\n')}\n`
  return { payload, times: prices.map(({ time }) => time) }
}
