import type { Tick } from '#core/markets/tick.ts'
import { price, volume } from '#core/money/price.ts'
import { instant, type Instant } from '#core/time/instant.ts'
import { batchHash, sameHash, tickLine, ticksToText } from '#server/market-data/tick-log/tick-text.ts'

/** A batch of the log as stored. */
export interface BatchRow {
  readonly firstSeq: number
  readonly lastSeq: number
  readonly firstTime: Instant
  readonly lastTime: Instant
  readonly writtenAt: Instant
  /** The canonical text of its ticks; null after retention has removed it. */
  readonly payload: string | null
  readonly previousHash: Uint8Array
  readonly hash: Uint8Array
}

/** Older batches as the database packs them. docs/reference/tick-log.md describes the form, and the migration `tick-packs` creates it. */
export interface TickPack {
  readonly firstSeq: number
  readonly previousHash: Uint8Array
  /** The hash of its last batch. */
  readonly hash: Uint8Array
  /** `symbolId source`, by the index used in `body`. */
  readonly series: readonly string[]
  readonly heads: Uint8Array
  readonly body: Uint8Array
  /**
   * The hashes of all batches of the pack, once retention has processed the pack. Until then the hashes are computed
   * from the content.
   */
  readonly hashes: Uint8Array | null
  /**
   * Each header that differs from the header of the previous batch, with the number of its batch in the pack. Null when
   * the batches have the format text 1, which has no headers.
   */
  readonly headers: readonly string[] | null
  /** Each line without a sequence number, preceded by the number of ticks in the pack before it. */
  readonly notes: readonly string[] | null
}

const HASH_BYTES = 32

/**
 * Returns the batches of a pack exactly as they were written. A batch that retention has processed has no payload.
 * Throws a `RangeError` on a pack that was altered so that it cannot be read.
 */
export function unpack(pack: TickPack): BatchRow[] {
  try {
    return read(pack)
  } catch (error) {
    throw new RangeError(`the pack of the tick log that begins at ${pack.firstSeq} cannot be read`, { cause: error })
  }
}

function read(pack: TickPack): BatchRow[] {
  const [counts = [], written = [], retainedFlags = [], since = [], spans = []] = readColumns(pack.heads)
  const ticks = unpackTicks(pack)
  const text = textOf(pack)
  if (pack.hashes !== null && pack.hashes.length !== counts.length * HASH_BYTES)
    throw new RangeError('the number of hashes differs from the number of batches')
  const batches: BatchRow[] = []
  let offset = 0
  for (const [index, count] of counts.entries()) {
    const isHere = pack.hashes === null || retainedFlags[index] === 1
    const before = batches.at(-1) ?? beforeFirst(pack)
    const firstSeq = before.lastSeq + 1
    const own = isHere ? ticks.slice(offset, offset + count).map((tick, at) => ({ seq: firstSeq + at, ...tick })) : []
    if (own.length !== (isHere ? count : 0)) throw new RangeError('ticks are missing')
    const payload = isHere ? text(own, offset) : null
    offset += own.length
    const firstTime = pack.hashes === null ? minTime(own) : before.firstTime + (since[index] ?? 0)
    const previousHash = before.hash
    batches.push({
      firstSeq,
      lastSeq: firstSeq + count - 1,
      firstTime: instant(firstTime),
      lastTime: instant(pack.hashes === null ? maxTime(own) : firstTime + (spans[index] ?? 0)),
      writtenAt: instant(before.writtenAt + (written[index] ?? 0)),
      payload,
      previousHash,
      hash: hashOf(pack, { index, isLast: index === counts.length - 1, previousHash, payload }),
    })
  }
  if (pack.hashes !== null && !sameHash(pack.hashes.slice(-HASH_BYTES), pack.hash))
    throw new RangeError('its last hash differs from its own')
  if (offset !== ticks.length) throw new RangeError('there are ticks that belong to no batch')
  return batches
}

/** Returns a function that writes the text of the next batch. `offset`: the number of ticks in the pack before the batch. */
function textOf({ headers, notes }: TickPack): (ticks: readonly Tick[], offset: number) => string {
  if (headers === null) return ticksToText
  const headerOf = new Map(headers.map(numbered))
  const notesBefore = new Map<number, string>()
  for (const [places, line] of (notes ?? []).map(numbered))
    notesBefore.set(places, `${notesBefore.get(places) ?? ''}${line}\n`)
  let header = ''
  let count = 0
  return (ticks, offset) => {
    count += 1
    header = headerOf.get(count) ?? header
    const line = (tick: Tick): string => (header.startsWith('2 late ') ? `e${tickLine(tick).slice(1)}` : tickLine(tick))
    return `${header}\n${ticks.map((tick, at) => `${notesBefore.get(offset + at) ?? ''}${line(tick)}\n`).join('')}`
  }
}

/** Splits `12 line` into number and line. */
function numbered(text: string): [number, string] {
  const at = text.indexOf(' ')
  return [Number(text.slice(0, at)), text.slice(at + 1)]
}

/** The state before the first batch: each batch is stored as differences from the previous one. */
function beforeFirst({ firstSeq, previousHash }: TickPack) {
  return { lastSeq: firstSeq - 1, firstTime: 0, writtenAt: 0, hash: previousHash }
}

type Unplaced = Omit<Tick, 'seq'>

/** The ticks that a pack still holds, in log order, without sequence numbers. */
function unpackTicks({ series, body }: TickPack): Unplaced[] {
  const [which = [], prices = [], volumes = [], received = [], late = [], refs = []] = readColumns(body)
  const names = series.map((name) => {
    const [symbolId = '', source = ''] = name.split(' ')
    return { symbolId: Number(symbolId), source }
  })
  const lastPrices = new Map<number, number>()
  const lastRefs = new Map<number, number>()
  let receivedAt = 0
  return which.map((place, index) => {
    const name = names[place]
    if (name === undefined) throw new RangeError('a tick names an unknown series')
    const units = (lastPrices.get(place) ?? 0) + (prices[index] ?? 0)
    lastPrices.set(place, units)
    receivedAt += received[index] ?? 0
    const step = refs[index] ?? NO_REF
    const ref = Object.is(step, NO_REF) ? undefined : (lastRefs.get(place) ?? 0) + step
    if (ref !== undefined) lastRefs.set(place, ref)
    return {
      symbolId: name.symbolId,
      price: price(units),
      volume: volume(volumes[index] ?? 0),
      time: instant(receivedAt - (late[index] ?? 0)),
      receivedAt: instant(receivedAt),
      source: name.source,
      ...(ref !== undefined && { ref }),
    }
  })
}

/** Returns the stored hash for the last batch, so that a check can compare it with the content. */
function hashOf(
  { hash, hashes }: TickPack,
  of: { index: number; isLast: boolean; previousHash: Uint8Array; payload: string | null },
): Uint8Array {
  if (of.isLast) return hash
  if (hashes !== null) return hashes.slice(of.index * HASH_BYTES, (of.index + 1) * HASH_BYTES)
  return new Uint8Array(batchHash(of.previousHash, of.payload ?? ''))
}

function minTime(ticks: readonly Tick[]): number {
  return ticks.reduce((min, { time }) => Math.min(min, time), Number.POSITIVE_INFINITY)
}

function maxTime(ticks: readonly Tick[]): number {
  return ticks.reduce((max, { time }) => Math.max(max, time), Number.NEGATIVE_INFINITY)
}

const END_OF_NUMBER = 10
const MINUS = 11
const END_OF_COLUMN = 12
/** -0 stands for a tick without a provider's number. In the column it is a minus sign without digits. */
const NO_REF = -0

/** Decodes columns of whole numbers, half a byte per digit. */
function readColumns(bytes: Uint8Array): number[][] {
  const columns: number[][] = []
  let column: number[] = []
  let value = 0
  let isNegative = false
  const end = (): void => {
    column.push(isNegative ? -value : value)
    value = 0
    isNegative = false
  }
  if (bytes.length === 0) return columns
  for (const byte of bytes) {
    for (const sign of [byte >> 4, byte & 15]) {
      if (sign < END_OF_NUMBER) value = value * 10 + sign
      else if (sign === MINUS) isNegative = true
      else if (sign === END_OF_NUMBER) end()
      else if (sign === END_OF_COLUMN) {
        end()
        columns.push(column)
        column = []
      }
    }
  }
  end()
  columns.push(column)
  return columns
}
