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

/**
 * A file with a day of the tick log, as `GET /api/ticks/{day}.csv` gives it. docs/reference/tick-log.md describes its
 * format.
 */
export interface DayFile {
  readonly path: string
  readonly day: string
  /** The last sequence number and hash before the day, and at the end of the day. */
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

const FORMAT = '# format,2'
const HEADING = 'line,seq,time_ms,time,symbol_id,symbol,price,volume,source,received_ms,ref,batch_hash'
/** 2: one line with the head before the day, and one line with the head at the end of the day. */
const NOTES = 2
const COLUMNS = HEADING.split(',').length
const BEGINNING = [FORMAT, HEADING]

/** Name and decimals of each symbol by its id. They must be the same in all days. */
export type SymbolNames = Map<string, string>

export function nameOf(symbol: string, decimals: number): string {
  return `${symbol}/${decimals}`
}

/**
 * Reads the batches of a day and computes their hashes. Throws at the first batch that does not follow its predecessor.
 */
export async function* batchesOf(file: DayFile, names: SymbolNames): AsyncGenerator<LogBatch> {
  const lines = createInterface({ input: createReadStream(file.path, 'latin1'), crlfDelay: Infinity })
  const reader = new BatchReader(file, names)
  for await (const line of lines) {
    const batch = reader.read(line)
    if (batch !== null) yield batch
  }
  reader.end()
}

/** Joins the lines of a day file into batches and checks each batch against the hash chain. */
class BatchReader {
  readonly #file: DayFile
  readonly #name: string
  readonly #names: SymbolNames
  /** The code of each symbol by its id, as the notes of this day name it. */
  readonly #codes = new Map<string, string>([['', '']])
  readonly #endsAt: number
  /** The sequence number of the last tick that was read, and the hash of the last complete batch. */
  #seq: number
  #hash: string
  /** The incomplete batch: its first sequence number, and its text so far. */
  #first: number
  #payload = ''
  #lineNumber = 0
  #notes = 0

  constructor(file: DayFile, names: SymbolNames) {
    this.#file = file
    this.#name = basename(file.path)
    this.#names = names
    this.#endsAt = endOfDay(file.day)
    this.#seq = file.previous.seq
    this.#hash = file.previous.hash
    this.#first = this.#seq + 1
  }

  /** Reads the next line, and returns the batch that it completes. */
  read(line: string): LogBatch | null {
    this.#lineNumber += 1
    if (this.#lineNumber <= BEGINNING.length) {
      if (line !== BEGINNING[this.#lineNumber - 1])
        throw new CannotCheck(`${this.#name} is not a day of the log: its columns are others.`)
      return null
    }
    if (line.startsWith('#')) {
      this.#notes += 1
      return null
    }
    const batchHash = this.#addLine(splitCsv(line))
    return batchHash === '' ? null : this.#completeBatch(batchHash)
  }

  /** Checks the end of the file, after all lines were read. */
  end(): void {
    const { head } = this.#file
    if (this.#notes !== NOTES || this.#payload !== '' || this.#seq !== head.seq || this.#hash !== head.hash) {
      throw new LogDiffers(`${this.#name} does not end with the head that it names.`)
    }
  }

  /** Adds a line to the batch. Returns the hash of the batch if this is its last line, else ''. */
  #addLine(columns: readonly string[]): string {
    const [line, place = '', time = '', , symbolId = '', , price = '', volume = '', source, received] = columns
    const [ref, batchHash] = columns.slice(10)
    if (this.#notes > 0 || columns.length !== COLUMNS || batchHash === undefined)
      throw new CannotCheck(`Line ${this.#lineNumber} of ${this.#name} is not a line of the log.`)
    if (place === '') this.#checkNote(columns)
    else this.#checkTick(columns)
    const number = place !== '' && line !== '' && ref === '' ? '-' : ref
    const words = [line, place, symbolId, units(price), units(volume), time, received, source, number]
    this.#payload += `${words.filter((word) => word !== '').join(' ')}\n`
    return batchHash
  }

  /** Checks a line without a sequence number: the header of a batch, or a note that names a symbol. */
  #checkNote(columns: readonly string[]): void {
    const [, , , clock, symbolId = '', symbol = ''] = columns
    const known = this.#names.get(symbolId)?.split('/')[0] ?? this.#codes.get(symbolId) ?? symbol
    if (clock !== '' || symbol !== known) this.#refuseWords()
    this.#codes.set(symbolId, symbol)
  }

  /** Checks a line that has a sequence number. */
  #checkTick(columns: readonly string[]): void {
    const [, place = '', time = '', clock, symbolId = '', symbol = '', price = '', volume = '', , received] = columns
    if (Number(place) !== this.#seq + 1) {
      throw new LogDiffers(
        `In ${this.#name} place ${place} follows ${this.#seq}: a tick was taken out, added or moved.`,
      )
    }
    // Human-readable fields are not part of a hash, so they must match the hashed fields.
    const named = nameOf(symbol, decimalsOf(price))
    const isPlain = [price, volume].every((decimal) => /^(?:0|[1-9]\d*)(?:\.\d+)?$/.test(decimal))
    const isNamed = (this.#names.get(symbolId) ?? named) === named && (this.#codes.get(symbolId) ?? symbol) === symbol
    if (!isPlain || !isNamed || clock !== clockOf(time) || decimalsOf(volume) !== VOLUME_DECIMALS) this.#refuseWords()
    // The negated comparison also rejects NaN.
    if (!(Number(received) < this.#endsAt)) {
      throw new LogDiffers(`In ${this.#name} the tick at place ${place} was received after that day.`)
    }
    this.#names.set(symbolId, named)
    this.#seq += 1
  }

  #refuseWords(): never {
    throw new LogDiffers(
      `In ${this.#name} line ${this.#lineNumber} says one thing in its numbers and another in words.`,
    )
  }

  #completeBatch(batchHash: string): LogBatch {
    const hash = toHex(sha256(joinBytes(fromHex(this.#hash), asciiBytes(this.#payload))))
    if (hash !== batchHash) {
      const range = `${this.#first} to ${this.#seq}`
      throw new LogDiffers(`In ${this.#name} the ticks from ${range} are not those that were logged.`)
    }
    const batch = {
      first_seq: this.#first,
      last_seq: this.#seq,
      previous_hash: this.#hash,
      hash,
      payload: this.#payload,
    }
    this.#hash = hash
    this.#first = this.#seq + 1
    this.#payload = ''
    return batch
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
  return Array.from(`,${line}`.matchAll(/,(?:"((?:[^"]|"")*)"|([^,]*))/g), ([, quoted, plain]) =>
    quoted === undefined ? (plain ?? '') : quoted.replaceAll('""', '"'),
  )
}
