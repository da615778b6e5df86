import { MAX_TICK_DELAY_MS, MAX_CLOCK_SKEW_MS } from '#core/markets/tick.ts'
import { type LogLine, type LogTick, placedLines, readBatchText } from '#core/markets/log-text.ts'
import { asciiBytes, fromHex, joinBytes, type Sha256, toHex } from '#core/proof/bytes.ts'

/** A published batch of the tick log: see the documentation of the tick log. */
export interface LogBatch {
  readonly first_seq: number
  readonly last_seq: number
  readonly previous_hash: string
  readonly hash: string
  /** The canonical text of the batch: one line per tick, late evidence or note. */
  readonly payload: string
}

/**
 * Why a piece of the log cannot be trusted, and where. `fork`: two pieces differ at the same sequence number. `back`:
 * the time of a symbol runs backwards. `received`: the tick was received too long after its time, or before it.
 */
export interface LogFault {
  readonly why: 'empty' | 'hash' | 'gap' | 'line' | 'fork' | 'back' | 'received'
  readonly seq: number
}

/** The `previous_hash` of the first batch of a log. */
const BEGINNING = '0'.repeat(64)

/**
 * Reads a piece of the log. Each batch must match its hash and follow the previous batch. Returns the ticks in order,
 * or the first fault.
 */
export function readLog(sha256: Sha256, batches: readonly LogBatch[]): readonly LogTick[] | LogFault {
  const ticks: LogTick[] = []
  let before: LogBatch | null = null
  for (const batch of batches) {
    const { first_seq: seq } = batch
    // The log begins with sequence number 1, and only that batch has no predecessor.
    if (seq < 1 || (seq === 1) !== (batch.previous_hash === BEGINNING)) return { why: 'gap', seq }
    if (before !== null && (seq !== before.last_seq + 1 || batch.previous_hash !== before.hash))
      return { why: 'gap', seq }
    if (hashOfBatch(sha256, batch) !== batch.hash) return { why: 'hash', seq }
    const text = readBatchText(batch.payload)
    const placed = text === null ? [] : placedLines(text)
    const isNumbered = placed.every(({ q }, at) => q === seq + at)
    if (!isNumbered || placed.at(-1)?.q !== batch.last_seq) return { why: 'line', seq }
    // Late evidence has sequence numbers but is not a price.
    ticks.push(...placed.filter(({ kind }) => kind === 't'))
    before = batch
  }
  if (before === null) return { why: 'empty', seq: 0 }
  return findImpossible(ticks) ?? ticks
}

/**
 * Returns all lines of a piece of the log, including late evidence and left-out trades. The caller has read the piece
 * with `readLog`.
 */
export function readLines(batches: readonly LogBatch[]): LogLine[] {
  return batches.flatMap(({ payload }) => readBatchText(payload)?.lines ?? [])
}

/**
 * Finds the first tick that no log accepts: received too long after its time or before it, or older than an earlier
 * tick of its symbol.
 */
export function findImpossible(ticks: Iterable<LogTick>): LogFault | null {
  const newest = new Map<number, number>()
  for (const { q: seq, symbolId, timeMs, receivedMs } of ticks) {
    if (receivedMs - timeMs > MAX_TICK_DELAY_MS || timeMs - receivedMs > MAX_CLOCK_SKEW_MS)
      return { why: 'received', seq }
    if (timeMs < (newest.get(symbolId) ?? 0)) return { why: 'back', seq }
    newest.set(symbolId, timeMs)
  }
  return null
}

/** Finds the first sequence number at which two pieces of the log differ. Both must come from one log. */
export function findFork(one: readonly LogBatch[], other: readonly LogBatch[]): LogFault | null {
  const ends = hashesByEnd(one)
  for (const [seq, hash] of hashesByEnd(other)) {
    const isShared = isWithin(seq, one) && isWithin(seq, other)
    if (isShared && ends.get(seq) !== hash) return { why: 'fork', seq }
  }
  return null
}

/** Returns the hash at the end of each batch, and the hash before the first batch. */
function hashesByEnd(log: readonly LogBatch[]): Map<number, string> {
  const ends = new Map(log.map(({ last_seq, hash }) => [last_seq, hash]))
  const [first] = log
  if (first !== undefined) ends.set(first.first_seq - 1, first.previous_hash)
  return ends
}

function isWithin(seq: number, log: readonly LogBatch[]): boolean {
  const [first, last] = [log[0], log.at(-1)]
  return first !== undefined && last !== undefined && seq >= first.first_seq - 1 && seq <= last.last_seq
}

function hashOfBatch(sha256: Sha256, { previous_hash, payload }: LogBatch): string | null {
  if (!/^[0-9a-f]{64}$/.test(previous_hash) || !payload.endsWith('\n')) return null
  return toHex(sha256(joinBytes(fromHex(previous_hash), asciiBytes(payload))))
}
