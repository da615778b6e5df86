import { closeSync, createReadStream, fstatSync, openSync, readdirSync, readSync } from 'node:fs'
import { basename, join } from 'node:path'
import { createInterface } from 'node:readline'
import { asciiBytes, fromHex, joinBytes, toHex } from '#core/proof/bytes.ts'
import { VOLUME_DECIMALS } from '#core/money/price.ts'
import type { LogBatch } from '#core/proof/log-evidence.ts'
import { DAY_MS, HOUR_MS, instant, toIso } from '#core/time/instant.ts'
import { sha256 } from '#server/platform/runtime/sha256.ts'
import { CannotCheck, LogDiffers } from './check-verdict.ts'

interface Head {
  readonly seq: number
  readonly hash: string
}

/** A day of the log as `GET /api/ticks/{day}.csv` gives it; docs/reference/tick-log.md describes it. */
export interface DayFile {
  readonly path: string
  readonly day: string
  /** The head before the day, and the head at its end. */
  readonly previous: Head
  readonly head: Head
}

/** Finds the complete days in a folder, oldest first. */
export function findDayFiles(folder: string): DayFile[] {
  const names = readdirSync(folder).filter((name) => /^ticks-\d{4}-\d\d-\d\d\.csv$/.test(name))
  if (names.length === 0) throw new CannotCheck(`There is no ticks-YYYY-MM-DD.csv in ${folder}.`)
  return names.toSorted().map((name) => openDayFile(join(folder, name)))
}

const MAX_TRAILER_BYTES = 400
const END = /\r\n# previous,(\d{1,16}),([0-9a-f]{64})\r\n# head,(\d{1,16}),([0-9a-f]{64})\r\n$/

function openDayFile(path: string): DayFile {
  const [, before, previous, last, head] = END.exec(endOf(path)) ?? []
  if (previous === undefined || head === undefined)
    throw new CannotCheck(`${basename(path)} is cut off: its head is missing.`)
  return {
    path,
    day: basename(path).slice('ticks-'.length, -'.csv'.length),
    previous: { seq: Number(before), hash: previous },
    head: { seq: Number(last), hash: head },
  }
}

function endOf(path: string): string {
  const file = openSync(path, 'r')
  try {
    const { size } = fstatSync(file)
    const bytes = Buffer.alloc(Math.min(size, MAX_TRAILER_BYTES))
    readSync(file, bytes, 0, bytes.length, size - bytes.length)
    return bytes.toString('latin1')
  } finally {
    closeSync(file)
  }
}

const HEADING = 'seq,time_ms,time,symbol_id,symbol,price,volume,source,received_ms,batch_hash'
/** Lines with the head before the day and the head at its end. */
const NOTES = 2
const COLUMNS = HEADING.split(',').length

/** Name and decimals of each symbol by its id. They must be the same in all days. */
export type SymbolNames = Map<string, string>

export function nameOf(symbol: string, decimals: number): string {
  return `${symbol}/${decimals}`
}

/**
 * Reads the batches of a day and computes their hashes. Throws at the first that does not follow from the one before.
 */
export async function* batchesOf({ path, day, previous, head }: DayFile, names: SymbolNames): AsyncGenerator<LogBatch> {
  const name = basename(path)
  let { seq, hash } = previous
  let first = seq + 1
  let payload = ''
  let number = 0
  let notes = 0
  const ends = endOfDay(day)
  for await (const line of createInterface({ input: createReadStream(path, 'latin1'), crlfDelay: Infinity })) {
    number += 1
    if (line.startsWith('#')) {
      notes += 1
      continue
    }
    if (number === 1) {
      if (line !== HEADING) throw new CannotCheck(`${name} is not a day of the log: its columns are others.`)
      continue
    }
    const columns = splitCsv(line)
    const [place = '', time = '', clock, symbolId = '', symbol = '', price = '', volume = ''] = columns
    const [source, received, batchHash] = columns.slice(7)
    if (notes > 0 || columns.length !== COLUMNS || batchHash === undefined)
      throw new CannotCheck(`Line ${number} of ${name} is not a tick.`)
    if (Number(place) !== seq + 1) {
      throw new LogDiffers(`In ${name} place ${place} follows ${seq}: a tick was taken out, added or moved.`)
    }
    // Human-readable fields are not part of a hash, so they must match the hashed fields.
    const named = nameOf(symbol, decimalsOf(price))
    const isPlain = [price, volume].every((decimal) => /^(?:0|[1-9]\d*)(?:\.\d+)?$/.test(decimal))
    const isSame = clock === clockOf(time) && (names.get(symbolId) ?? named) === named
    if (!isPlain || !isSame || decimalsOf(volume) !== VOLUME_DECIMALS) {
      throw new LogDiffers(`In ${name} line ${number} says one thing in its numbers and another in words.`)
    }
    // The negated comparison also rejects NaN.
    if (!(Number(received) < ends)) {
      throw new LogDiffers(`In ${name} the tick at place ${place} was received after that day.`)
    }
    names.set(symbolId, named)
    seq += 1
    payload += `${place} ${symbolId} ${units(price)} ${units(volume)} ${time} ${received} ${source}\n`
    if (batchHash === '') continue
    const computed = toHex(sha256(joinBytes(fromHex(hash), asciiBytes(payload))))
    if (computed !== batchHash) {
      throw new LogDiffers(`In ${name} the ticks from ${first} to ${seq} are not those that were logged.`)
    }
    yield { first_seq: first, last_seq: seq, previous_hash: hash, hash: computed, payload }
    hash = computed
    first = seq + 1
    payload = ''
  }
  if (notes !== NOTES || payload !== '' || seq !== head.seq || hash !== head.hash) {
    throw new LogDiffers(`${basename(path)} does not end with the head that it names.`)
  }
}

/**
 * Returns the latest possible receive time of a tick in a day's file. A batch belongs to the day on which it was
 * written, after its ticks were received: possibly a day earlier, if the machine slept. A clock may be set back
 * in between, by at most one hour.
 */
function endOfDay(day: string): number {
  return Date.parse(`${day}T00:00:00Z`) + DAY_MS + HOUR_MS
}

function decimalsOf(decimal: string): number {
  return decimal.length - 1 - (decimal.includes('.') ? decimal.indexOf('.') : decimal.length - 1)
}

function clockOf(ms: string): string | null {
  const time = Number(ms)
  return Number.isSafeInteger(time) ? toIso(instant(time)) : null
}

function units(decimal: string): string {
  return decimal.replace('.', '').replace(/^0+(?=\d)/, '')
}

function splitCsv(line: string): string[] {
  return Array.from(line.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^,]*))/g), ([, quoted, plain]) =>
    quoted === undefined ? (plain ?? '') : quoted.replaceAll('""', '"'),
  )
}
