import { formatDecimal } from '#core/money/decimal.ts'
import { VOLUME_DECIMALS } from '#core/money/price.ts'
import { toIso } from '#core/time/instant.ts'
import { csvLine } from '#server/platform/http/csv.ts'
import type { Db } from '#server/platform/database/tables.ts'
import type { ListedSymbol, MarketCatalogue } from '#server/market-data/catalogue/market-catalogue.ts'
import { batchPages } from '#server/market-data/tick-log/tick-batch.queries.ts'
import type { BatchRow } from '#server/market-data/tick-log/tick-pack.ts'
import type { TickDay } from '#server/market-data/tick-archive/tick-day.ts'
import { textToTicks } from '#server/market-data/tick-log/tick-text.ts'

const COLUMNS = [
  'seq',
  'time_ms',
  'time',
  'symbol_id',
  'symbol',
  'price',
  'volume',
  'source',
  'received_ms',
  'batch_hash',
] as const

export interface TickDayCsv {
  readonly db: Db
  readonly catalogue: Pick<MarketCatalogue, 'byId'>
  readonly day: TickDay
  /** Only this symbol's ticks. The batch hashes can then be compared but not recomputed. */
  readonly symbol: ListedSymbol | null
}

/**
 * Streams a day of the log as CSV. The last tick of each batch carries the batch's hash. Two final lines that begin with `#` give the
 * sequence number and hash before the day, and the head at its end.
 */
export async function* tickDayCsv({ db, catalogue, day, symbol }: TickDayCsv): AsyncGenerator<string> {
  yield csvLine(COLUMNS)
  let seq = day.firstSeq - 1
  for await (const batches of batchPages(db, seq)) {
    // Retention processed the day during the download. A file without its head line is known to be incomplete.
    if (batches.some(({ payload }) => payload === null)) break
    const own = batches.filter(({ lastSeq }) => lastSeq <= day.lastSeq)
    yield own.map((batch) => linesOf(batch, catalogue, symbol)).join('')
    seq = own.at(-1)?.lastSeq ?? seq
    if (own.length < batches.length || seq === day.lastSeq) break
  }
  if (seq !== day.lastSeq) throw new Error(`the day of ticks ended at ${seq} instead of ${day.lastSeq}`)
  yield `# previous,${day.firstSeq - 1},${hex(day.previousHash)}\r\n# head,${day.lastSeq},${hex(day.hash)}\r\n`
}

function linesOf(
  { payload, lastSeq, hash }: BatchRow,
  catalogue: Pick<MarketCatalogue, 'byId'>,
  symbol: ListedSymbol | null,
): string {
  return textToTicks(payload ?? '', symbol?.id)
    .map((tick) => {
      const { code, decimals } = catalogue.byId(tick.symbolId) ?? { code: '', decimals: 0 }
      return csvLine([
        tick.seq,
        tick.time,
        toIso(tick.time),
        tick.symbolId,
        code,
        formatDecimal(BigInt(tick.price), decimals),
        formatDecimal(BigInt(tick.volume), VOLUME_DECIMALS),
        tick.source,
        tick.receivedAt,
        tick.seq === lastSeq ? hex(hash) : '',
      ])
    })
    .join('')
}

function hex(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('hex')
}
