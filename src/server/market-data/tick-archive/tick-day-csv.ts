import { type LogHeader, type LogLine, readBatchText } from '#core/markets/log-text.ts'
import { formatDecimal } from '#core/money/decimal.ts'
import { VOLUME_DECIMALS } from '#core/money/price.ts'
import { instant, toIso } from '#core/time/instant.ts'
import { csvLine } from '#server/platform/http/csv.ts'
import type { Db } from '#server/platform/database/tables.ts'
import type { ListedSymbol, MarketCatalogue } from '#server/market-data/catalogue/market-catalogue.ts'
import { batchPages } from '#server/market-data/tick-log/tick-batch.queries.ts'
import type { BatchRow } from '#server/market-data/tick-log/tick-pack.ts'
import type { TickDay } from '#server/market-data/tick-archive/tick-day.ts'

/** Names the format. Version 2 has the columns `line` and `ref`. */
const FORMAT = '# format,2\r\n'
const COLUMNS = [
  'line',
  'seq',
  'time_ms',
  'time',
  'symbol_id',
  'symbol',
  'price',
  'volume',
  'source',
  'received_ms',
  'ref',
  'batch_hash',
] as const

export interface TickDayCsv {
  readonly db: Db
  readonly catalogue: Pick<MarketCatalogue, 'byId'>
  readonly day: TickDay
  /**
   * The file has only ticks of this symbol; null: of all symbols. In a file of one symbol, the batch hashes can be
   * compared but not recomputed.
   */
  readonly symbol: ListedSymbol | null
}

/**
 * Streams a day of the log as CSV. The last line of each batch carries the batch's hash. Two final lines that begin
 * with `#` give the sequence number and the hash of the log before the day and at its end.
 */
export async function* tickDayCsv({ db, catalogue, day, symbol }: TickDayCsv): AsyncGenerator<string> {
  yield FORMAT + csvLine(COLUMNS)
  let seq = day.firstSeq - 1
  for await (const batches of batchPages(db, seq)) {
    // Retention processed the day during the download. The file then lacks its final line, so readers know that it is
    // incomplete.
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
  { payload, firstSeq, hash }: BatchRow,
  catalogue: Pick<MarketCatalogue, 'byId'>,
  symbol: ListedSymbol | null,
): string {
  const text = readBatchText(payload ?? '')
  if (text === null) throw new Error(`the batch at ${firstSeq} of the tick log has an unknown form`)
  const { header, lines } = text
  const own = symbol === null ? lines : lines.filter(({ symbolId }) => symbolId === symbol.id)
  const rows = own.map((line) => {
    const about = catalogue.byId(line.symbolId) ?? { code: '', decimals: 0 }
    return csvLine(rowOf(line, header !== null, about, line === lines.at(-1) ? hex(hash) : ''))
  })
  // The header is needed for the hash of a batch, which a file of one symbol does not show.
  if (header !== null && symbol === null) rows.unshift(csvLine(headerRow(header)))
  return rows.join('')
}

/** The fields that are not empty, except for `time`, `symbol` and `batch_hash`, are the space-separated parts of the line. A tick without `ref` has `-`. */
function rowOf(
  line: LogLine,
  isNamed: boolean,
  { code, decimals }: Pick<ListedSymbol, 'code' | 'decimals'>,
  batchHash: string,
): (string | number)[] {
  const { kind, symbolId, source } = line
  switch (kind) {
    case 'u':
      return [kind, '', '', '', symbolId, code, '', '', source, '', line.why, batchHash]
    case 'x':
      return [kind, '', '', '', symbolId, code, '', '', source, '', `${line.from} ${line.to} ${line.why}`, batchHash]
    default:
      return [
        isNamed ? kind : '',
        line.q,
        line.timeMs,
        toIso(instant(line.timeMs)),
        symbolId,
        code,
        formatDecimal(BigInt(line.price), decimals),
        formatDecimal(BigInt(line.volume), VOLUME_DECIMALS),
        source,
        line.receivedMs,
        line.ref ?? '',
        batchHash,
      ]
  }
}

function headerRow({ sources, incident }: LogHeader): (string | number)[] {
  const [kind, rest] = incident === null ? ['live', sources] : ['late', `${sources} ${incident}`]
  return ['2', '', '', '', '', '', '', '', kind, '', rest, '']
}

function hex(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('hex')
}
