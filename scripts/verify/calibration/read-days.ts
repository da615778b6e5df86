import { readFileSync, statSync } from 'node:fs'
import { basename } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { CATALOGUE } from '#core/markets/catalogue.ts'
import { readBatchText } from '#core/markets/log-text.ts'
import { type MarketType, readMarketType } from '#core/markets/market.ts'
import { type Price, price } from '#core/money/price.ts'
import type { CoursePrices } from '#core/orders/sale/price-course.ts'
import { DAY_MS, type Instant, instant } from '#core/time/instant.ts'
import { parseRecording, regularHours } from '#server/market-data/feeds/replay/recording.ts'
import { REPLAY_SOURCES } from '#server/market-data/feeds/replay/replay-symbols.ts'
import { CannotCheck, LogDiffers } from '../check-verdict.ts'
import { batchesOf, findDayFiles, type SymbolNames } from '../day-file.ts'

/** Prices of one symbol from one source, and the settings that decide how they are traded. */
export interface RecordedDays {
  readonly course: CoursePrices
  readonly days: number
  readonly marketType: MarketType
  readonly maxTickAgeMs: number
}

export interface DaysOptions {
  readonly symbol?: string | undefined
  readonly market?: string | undefined
  readonly decimals?: string | undefined
  readonly maxAgeSeconds?: string | undefined
}

const MAX_DECIMALS = 8
const DEFAULT_MAX_AGE_MS = 15_000

/** Reads a recording (`time_ms_utc,price[,volume]`, compressed or not) or a folder of exported days of the tick log. */
export async function readDays(path: string, options: DaysOptions): Promise<RecordedDays> {
  const stat = statSync(path, { throwIfNoEntry: false })
  if (stat === undefined) throw new CannotCheck(`There is no ${path}.`)
  return stat.isDirectory() ? await readLog(path, options) : readRecording(path, options)
}

function readRecording(path: string, options: DaysOptions): RecordedDays {
  const known = REPLAY_SOURCES.find(({ file }) => file === basename(path))?.symbol
  const marketType = readMarket(options.market) ?? known?.marketType
  const decimals = readWhole('--decimals', options.decimals, MAX_DECIMALS) ?? known?.decimals
  if (marketType === undefined || decimals === undefined)
    throw new CannotCheck(`${basename(path)} is not a recording of data/market: give --market and --decimals.`)
  const rows = regularHours(marketType, parse(readText(path), decimals))
  if (rows.length === 0) throw new CannotCheck(`${path} has no prices.`)
  const course = { times: rows.map(({ time }) => time), prices: rows.map((row) => row.price) }
  return describe(course, marketType, readMaxAge(options) ?? known?.maxTickAgeMs)
}

function readText(path: string): string {
  const bytes = readFileSync(path)
  try {
    return (path.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString()
  } catch {
    throw new CannotCheck(`${path} is cut off, or is not compressed by gzip.`)
  }
}

function parse(text: string, decimals: number): ReturnType<typeof parseRecording> {
  try {
    return parseRecording(text, decimals)
  } catch (error) {
    throw new CannotCheck(error instanceof Error ? error.message : String(error))
  }
}

async function readLog(folder: string, options: DaysOptions): Promise<RecordedDays> {
  const code = options.symbol?.toUpperCase()
  if (code === undefined) throw new CannotCheck('A folder of the tick log has many symbols: give --symbol.')
  const symbol = CATALOGUE.find((one) => one.code === code)
  const marketType = readMarket(options.market) ?? symbol?.marketType
  if (marketType === undefined) throw new CannotCheck(`${code} is not in the catalogue: give --market.`)
  const course = await readSource(folder, code)
  return describe(course, marketType, readMaxAge(options) ?? symbol?.maxTickAgeMs)
}

/** Reads the prices of the symbol from the source with the most prices, in the order of the tick log. */
async function readSource(folder: string, code: string): Promise<CoursePrices> {
  const names: SymbolNames = new Map()
  const sources = new Map<string, { times: Instant[]; prices: Price[] }>()
  for (const file of findDayFiles(folder)) {
    for await (const { payload, first_seq } of batchesOf(file, names)) {
      const text = readBatchText(payload)
      if (text === null) throw new LogDiffers(`The batch at place ${first_seq} is malformed.`)
      for (const line of text.lines) {
        if (line.kind !== 't' || !names.get(String(line.symbolId))?.startsWith(`${code}/`)) continue
        const known = sources.get(line.source) ?? { times: [], prices: [] }
        known.times.push(instant(line.timeMs))
        known.prices.push(price(line.price))
        sources.set(line.source, known)
      }
    }
  }
  const [most] = [...sources.values()].toSorted((a, b) => b.times.length - a.times.length)
  if (most === undefined) throw new CannotCheck(`The log has no prices of ${code}.`)
  return most
}

function describe(course: CoursePrices, marketType: MarketType, maxTickAgeMs = DEFAULT_MAX_AGE_MS): RecordedDays {
  const days = new Set(course.times.map((time) => Math.floor(time / DAY_MS))).size
  return { course, days, marketType, maxTickAgeMs }
}

function readMarket(text: string | undefined): MarketType | undefined {
  if (text === undefined) return undefined
  const market = readMarketType(text)
  if (market === null) throw new CannotCheck(`--market is crypto, us_stocks or us_fx, not ${text}.`)
  return market
}

const MAX_AGE_SECONDS = 600

function readMaxAge({ maxAgeSeconds }: DaysOptions): number | undefined {
  const seconds = readWhole('--max-age', maxAgeSeconds, MAX_AGE_SECONDS)
  return seconds === undefined ? undefined : seconds * 1_000
}

/** Reads a whole number from 0 to `most`. Throws `CannotCheck` on any other text. */
export function readWhole(name: string, text: string | undefined, most: number): number | undefined {
  if (text === undefined) return undefined
  const value = /^\d{1,9}$/.test(text) ? Number(text) : Infinity
  if (value > most) throw new CannotCheck(`${name} is a whole number from 0 to ${most}, not ${text}.`)
  return value
}
