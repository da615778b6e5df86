import { MAX_LATE_MS, MOST_AHEAD_MS } from '#core/markets/tick.ts'
import { asciiBytes, fromHex, joinBytes, type Sha256, toHex } from '#core/proof/bytes.ts'

/** A batch of the tick log as it is published: see the documentation of the tick log. */
export interface LogBatch {
  readonly first_seq: number
  readonly last_seq: number
  readonly previous_hash: string
  readonly hash: string
  /** The canonical text. */
  readonly payload: string
}

/** A tick as its line in the log says it. */
export interface LogTick {
  readonly q: number
  readonly symbolId: number
  readonly price: number
  readonly timeMs: number
  readonly receivedMs: number
  readonly source: string
}

/**
 * Why a piece of the log cannot be trusted, and where; `fork`: the two pieces say different things of the same places;
 * `back`: the time of a symbol runs back there; `received`: no tick is received so long after its time, or before it.
 */
export interface LogFault {
  readonly why: 'empty' | 'hash' | 'gap' | 'line' | 'fork' | 'back' | 'received'
  readonly seq: number
}

/** What the first batch of a log names as the hash before it. */
const BEGINNING = '0'.repeat(64)

// One way to write each tick: a number with zeros before it would be another text with another hash.
const LINE =
  /^(0|[1-9]\d{0,15}) (0|[1-9]\d{0,15}) (0|[1-9]\d{0,15}) (0|[1-9]\d{0,15}) (0|[1-9]\d{0,15}) (0|[1-9]\d{0,15}) ([\x21-\x7e]{1,40})$/

/**
 * A piece of the log, batch after batch: each has the hash of its content and follows the one before. Answers its ticks
 * in order, or the first fault.
 */
export function readLog(sha256: Sha256, batches: readonly LogBatch[]): readonly LogTick[] | LogFault {
  const ticks: LogTick[] = []
  let before: LogBatch | null = null
  for (const batch of batches) {
    const { first_seq: seq } = batch
    // The log begins with place 1, which follows nothing; no other place does.
    if (seq < 1 || (seq === 1) !== (batch.previous_hash === BEGINNING)) return { why: 'gap', seq }
    if (before !== null && (seq !== before.last_seq + 1 || batch.previous_hash !== before.hash))
      return { why: 'gap', seq }
    if (hashOfBatch(sha256, batch) !== batch.hash) return { why: 'hash', seq }
    for (const line of batch.payload.split('\n').slice(0, -1)) {
      const tick = readLine(line)
      if (tick === null || tick.q !== (ticks.at(-1)?.q ?? seq - 1) + 1) return { why: 'line', seq }
      ticks.push(tick)
    }
    if (ticks.at(-1)?.q !== batch.last_seq) return { why: 'line', seq }
    before = batch
  }
  if (before === null) return { why: 'empty', seq: 0 }
  return findImpossible(ticks) ?? ticks
}

/** The first tick that no log takes: received too long after its time or before it, or older than one of its symbol before it. */
export function findImpossible(ticks: Iterable<LogTick>): LogFault | null {
  const newest = new Map<number, number>()
  for (const { q: seq, symbolId, timeMs, receivedMs } of ticks) {
    if (receivedMs - timeMs > MAX_LATE_MS || timeMs - receivedMs > MOST_AHEAD_MS) return { why: 'received', seq }
    if (timeMs < (newest.get(symbolId) ?? 0)) return { why: 'back', seq }
    newest.set(symbolId, timeMs)
  }
  return null
}

/** The first fault in what two pieces say of the places that both show: they are to be of one log. */
export function findFork(one: readonly LogBatch[], other: readonly LogBatch[]): LogFault | null {
  const ends = hashesByEnd(one)
  for (const [seq, hash] of hashesByEnd(other)) {
    const isShared = isWithin(seq, one) && isWithin(seq, other)
    if (isShared && ends.get(seq) !== hash) return { why: 'fork', seq }
  }
  return null
}

/** The hash of the log at each end of a batch, and where the piece goes on from. */
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

/** A tick from its line; null when it is not written as one. */
export function readLine(line: string): LogTick | null {
  const found = LINE.exec(line)
  if (found === null) return null
  const [, q, symbolId, price, volume, timeMs, receivedMs, source = ''] = found
  const numbers = [q, symbolId, price, volume, timeMs, receivedMs].map(Number)
  if (!numbers.every(Number.isSafeInteger) || price === '0' || timeMs === '0') return null
  return {
    q: Number(q),
    symbolId: Number(symbolId),
    price: Number(price),
    timeMs: Number(timeMs),
    receivedMs: Number(receivedMs),
    source,
  }
}
