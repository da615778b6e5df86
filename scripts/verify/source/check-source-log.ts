import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { type LogLine, readBatchText } from '#core/markets/log-text.ts'
import { MIN_SPIKE_LIMIT } from '#core/markets/sources/price-distance.ts'
import { DAY_MS, instant, toIso } from '#core/time/instant.ts'
import { CannotCheck, type Checked, COULD_NOT_CHECK, DIFFERS, LogDiffers, MATCHES } from '../check-verdict.ts'
import { batchesOf, findDayFiles, type SymbolNames } from '../day-file.ts'
import { publishedSpike } from './published-spike.ts'
import { collectSources, compareSource, type Comparison, differs, type SourceLog } from './compare-source.ts'
import {
  archivedTrades,
  binanceRecord,
  coinbaseRecord,
  providerOf,
  type ReadPage,
  readPage,
  type RecordedTrade,
} from './provider-record.ts'
import { unzip } from './unzip.ts'

const USAGE =
  'Usage: npm run check:source -- --log DIR|URL --symbol BTC --from 2026-11-20T10:00 --to 2026-11-20T11:00 [--archive FILE.zip]'
const SHOWN_REFS = 5

interface Wanted {
  readonly log: string
  readonly symbol: string
  readonly fromMs: number
  readonly toMs: number
  readonly archive: string | undefined
}

/**
 * Compares a symbol's prices in the tick log with the providers' own records. Returns the exit code and the lines to
 * print.
 */
export async function checkSourceLog(args: readonly string[], read: ReadPage = readPage): Promise<Checked> {
  try {
    return await check(readArguments(args), read)
  } catch (error) {
    const lines = [error instanceof Error ? error.message : String(error)]
    return { exitCode: error instanceof LogDiffers ? DIFFERS : COULD_NOT_CHECK, lines }
  }
}

function readArguments(args: readonly string[]): Wanted {
  const text = { type: 'string' } as const
  const { values } = parseArgs({
    args: [...args],
    options: { log: text, symbol: text, from: text, to: text, archive: text },
  })
  const [fromMs, toMs] = [values.from, values.to].map((time = '') => Date.parse(/[Z+]/.test(time) ? time : `${time}Z`))
  if (values.log === undefined || values.symbol === undefined || fromMs === undefined || toMs === undefined)
    throw new CannotCheck(USAGE)
  if (!(fromMs < toMs)) throw new CannotCheck(`--from has to be a time before --to. ${USAGE}`)
  return { log: values.log, symbol: values.symbol.toUpperCase(), fromMs, toMs, archive: values.archive }
}

async function check(wanted: Wanted, read: ReadPage): Promise<Checked> {
  const { lines, decimals, configurations } = await linesOf(wanted)
  const spike = isUrl(wanted.log) ? await publishedSpike(wanted, configurations, read) : MIN_SPIKE_LIMIT
  const sources = collectSources(lines)
  if (sources.size === 0) throw new CannotCheck(`The log has no numbered trades of ${wanted.symbol} in this time.`)
  const results: { readonly name: string; readonly found: Comparison }[] = []
  const unknown: string[] = []
  for (const [name, log] of sources) {
    const record = await recordOf(name, wanted, log, read)
    if (record === null) unknown.push(name)
    else results.push({ name, found: compareSource(log, record, { decimals, spike }) })
  }
  const described = [
    ...results.flatMap(({ name, found }) => describe(wanted.symbol, name, found)),
    ...unknown.map((name) => `${wanted.symbol} from ${name}: no public record is known here.`),
  ]
  if (results.some(({ found }) => differs(found))) return { exitCode: DIFFERS, lines: described }
  return { exitCode: results.length === 0 ? COULD_NOT_CHECK : MATCHES, lines: described }
}

interface ReadLog {
  readonly lines: LogLine[]
  readonly decimals: number
  /** The hashes of the source configurations that the days name. */
  readonly configurations: ReadonlySet<string>
}

const isUrl = (log: string): boolean => /^https?:\/\//.test(log)

/**
 * Reads the symbol's lines between two times from the exported days of the tick log, and checks the hash chain of these
 * days.
 */
async function linesOf({ log, symbol, fromMs, toMs }: Wanted): Promise<ReadLog> {
  const folder = isUrl(log) ? await download(log, fromMs, toMs) : log
  const configurations = new Set<string>()
  try {
    const names: SymbolNames = new Map()
    const all: LogLine[] = []
    for (const file of findDayFiles(folder)) {
      for await (const { payload, first_seq } of batchesOf(file, names)) {
        const text = readBatchText(payload)
        if (text === null) throw new LogDiffers(`The batch at place ${first_seq} is malformed.`)
        if (text.header !== null) configurations.add(text.header.sources)
        all.push(...text.lines)
      }
    }
    const [id, name = ''] = [...names].find(([, one]) => one.startsWith(`${symbol}/`)) ?? []
    if (id === undefined) throw new CannotCheck(`The log has no prices of ${symbol}.`)
    const own = all.filter(({ symbolId }) => symbolId === Number(id))
    return { lines: within(own, fromMs, toMs), decimals: Number(name.split('/')[1]), configurations }
  } finally {
    if (isUrl(log)) rmSync(folder, { recursive: true })
  }
}

/** Returns the lines from the first price of the period to its last price. */
function within(lines: readonly LogLine[], fromMs: number, toMs: number): LogLine[] {
  const isIn = (line: LogLine) => line.kind === 't' && line.timeMs >= fromMs && line.timeMs <= toMs
  return lines.slice(lines.findIndex(isIn), lines.findLastIndex(isIn) + 1)
}

async function download(url: string, fromMs: number, toMs: number): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'fairwick-log-'))
  for (let day = Math.floor(fromMs / DAY_MS); day * DAY_MS <= toMs; day += 1) {
    const name = toIso(instant(day * DAY_MS)).slice(0, 'yyyy-mm-dd'.length)
    const response = await fetch(`${url.replace(/\/$/, '')}/api/ticks/${name}.csv`)
    if (!response.ok) throw new CannotCheck(`The log of ${name} cannot be read: HTTP ${response.status}.`)
    writeFileSync(join(folder, `ticks-${name}.csv`), await response.text())
  }
  return folder
}

/**
 * Reads the provider's public record of all ranges of trade numbers in which the source was used. Returns null for a
 * source without a public record.
 */
export async function recordOf(
  name: string,
  { symbol, archive }: Pick<Wanted, 'symbol' | 'archive'>,
  { ranges }: SourceLog,
  read: ReadPage,
): Promise<ReadonlyMap<number, RecordedTrade> | null> {
  const kind = providerOf(name)
  if (kind === undefined) return null
  if (archive !== undefined && kind === 'binance') return inRanges(archivedTrades(linesIn(archive)), ranges)
  const record = new Map<number, RecordedTrade>()
  for (const range of ranges) {
    const trades =
      kind === 'binance' ? binanceRecord(`${symbol}USDT`, range, read) : coinbaseRecord(`${symbol}-USD`, range, read)
    for await (const trade of trades) record.set(trade.ref, trade)
  }
  return record
}

function inRanges(trades: Iterable<RecordedTrade>, ranges: SourceLog['ranges']): Map<number, RecordedTrade> {
  const record = new Map<number, RecordedTrade>()
  for (const trade of trades)
    if (ranges.some(({ from, to }) => trade.ref >= from && trade.ref <= to)) record.set(trade.ref, trade)
  return record
}

function linesIn(path: string): string[] {
  const content = readFileSync(path)
  return (path.endsWith('.zip') ? unzip(content) : content).toString('latin1').split(/\r?\n/)
}

/** The lines to print about a comparison. */
export function describe(symbol: string, name: string, found: Comparison): string[] {
  const reasons = Object.entries(found.accounted).map(([why, count]) => `${count} ${why}`)
  return [
    `${symbol} from ${name}: ${found.compared} compared, ${found.equal} equal`,
    ...(reasons.length > 0 ? [`  left out, with a reason: ${reasons.join(', ')}`] : []),
    ...describeRefs('another price', found.otherPrice),
    ...describeRefs('another time', found.otherTime),
    ...describeRefs('missing in the log, without a reason', found.missing),
    ...describeRefs('left out for a reason that is not so', found.wrongReason),
    ...describeRefs('in the log and never traded', found.neverTraded),
  ]
}

function describeRefs(what: string, refs: readonly number[]): string[] {
  if (refs.length === 0) return []
  const more = refs.length > SHOWN_REFS ? ', …' : ''
  return [`  ${what}: ${refs.length} (${refs.slice(0, SHOWN_REFS).join(', ')}${more})`]
}
