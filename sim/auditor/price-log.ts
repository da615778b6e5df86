import { createHash } from 'node:crypto'
import type { Row } from '../memory-store/specs.ts'
import type { LineAudit } from './line-audit.ts'

export interface LoggedTick {
  readonly seq: number
  readonly units: number
  readonly time: number
  readonly receivedAt: number
  readonly source: string
  /** The number that the source gave the trade. Null if the source does not number its trades. */
  readonly ref: number | null
}

/** The maximum time by which a source's clock may be ahead of ours. */
const MAX_CLOCK_SKEW_MS = 5_000

/**
 * The auditor's own copy of the tick log. Checks every line, its sequence number, its hash, and that a source reported
 * it.
 */
export class PriceLog {
  readonly #complain: (what: string) => void
  readonly #lines: LineAudit
  readonly #bySymbol = new Map<number, LoggedTick[]>()
  readonly #said = new Set<string>()
  readonly #newestSaid = new Map<number, number>()
  /** For each symbol, the time of its last settled result. Ticks up to this time may no longer be added. */
  readonly #settledThrough = new Map<number, number>()
  #lastSeq = 0
  #hash: Uint8Array = new Uint8Array(32)

  constructor(complain: (what: string) => void, lines: LineAudit) {
    this.#complain = complain
    this.#lines = lines
  }

  get lastSeq(): number {
    return this.#lastSeq
  }

  said(source: string, symbolId: number, units: number, time: number): void {
    this.#said.add(`${source} ${symbolId} ${units} ${time}`)
    this.noteSourceTime(symbolId, time)
  }

  /** Notes that a source reported this time. */
  noteSourceTime(symbolId: number, time: number): void {
    this.#newestSaid.set(symbolId, Math.max(time, this.#newestSaid.get(symbolId) ?? 0))
  }

  newestSaid(symbolId: number): number {
    return this.#newestSaid.get(symbolId) ?? 0
  }

  /** Notes a settled expiry: no tick at or before it may be added later. */
  settled(symbolId: number, expiresAt: number): void {
    this.#settledThrough.set(symbolId, Math.max(expiresAt, this.#settledThrough.get(symbolId) ?? 0))
  }

  add(batch: Row): void {
    const payload = String(batch['payload'])
    const previous = batch['previous_hash'] as Uint8Array
    if (Number(batch['first_seq']) !== this.#lastSeq + 1)
      this.#complain(`I10: the log goes on at ${String(batch['first_seq'])}, not after ${this.#lastSeq}`)
    if (!isSame(previous, this.#hash))
      this.#complain(`I10: batch ${String(batch['first_seq'])} does not name the one before it`)
    const hash = createHash('sha256').update(previous).update(payload, 'utf8').digest()
    if (!isSame(hash, batch['hash'] as Uint8Array))
      this.#complain(`I10: the hash of batch ${String(batch['first_seq'])} is wrong`)
    this.#hash = batch['hash'] as Uint8Array
    const [header = '', ...lines] = payload.trimEnd().split('\n')
    const isLate = /^2 late [0-9a-f]{64} \S+$/.test(header)
    if (!isLate && !/^2 live [0-9a-f]{64}$/.test(header)) this.#complain(`I10: a batch begins with ${header}`)
    for (const line of lines) this.#readLine(line, isLate)
    if (this.#lastSeq !== Number(batch['last_seq']))
      this.#complain(`I10: batch ${String(batch['first_seq'])} does not end where it says`)
  }

  /** The last tick at or before a moment, in the tick log up to the sequence number `head`. */
  lastUntil(symbolId: number, time: number, head: number): LoggedTick | null {
    return this.#all(symbolId)[this.#countUntil(symbolId, time, head) - 1] ?? null
  }

  /** The first tick after a moment, in the tick log up to the sequence number `head`. */
  firstAfter(symbolId: number, time: number, head: number): LoggedTick | null {
    const found = this.#all(symbolId)[this.#countUntil(symbolId, time, head)] ?? null
    return found !== null && found.seq <= head ? found : null
  }

  /** The prices of a symbol, in the order of the tick log. */
  ticksOf(symbolId: number): readonly LoggedTick[] {
    return this.#all(symbolId)
  }

  #readLine(line: string, isLate: boolean): void {
    const [kind, ...fields] = line.split(' ')
    if (kind === 'x') {
      const [symbolId, source = '', from, to, why = ''] = fields
      this.#lines.leftOut(source, Number(symbolId), { from: Number(from), to: Number(to), why })
    } else if (kind === (isLate ? 'e' : 't')) {
      const [seq = 0, symbolId = 0, units = 0, , time = 0, receivedAt = 0] = fields.map(Number)
      const [source = '', ref = '-'] = fields.slice(6)
      const tick = { seq, units, time, receivedAt, source, ref: ref === '-' ? null : Number(ref) }
      if (isLate) this.#place(seq)
      else this.#read(symbolId, tick, line)
      if (tick.ref !== null) this.#lines.price(source, symbolId, tick.ref, { seq, units, time, isLate })
    } else if (kind !== 'u' || isLate) this.#complain(`I10: a batch has the line ${line}`)
  }

  #place(seq: number): void {
    if (seq !== this.#lastSeq + 1) this.#complain(`I10: line ${seq} has another place`)
    this.#lastSeq = seq
  }

  #read(symbolId: number, tick: LoggedTick, line: string): void {
    const { seq, units, time, receivedAt, source } = tick
    const before = this.#all(symbolId).at(-1)
    const where = `tick ${seq} of symbol ${symbolId}`
    this.#place(seq)
    if (!(units > 0)) this.#complain(`${where} is no price: ${units}`)
    if (before !== undefined && time < before.time) this.#complain(`I6: ${where} runs back`)
    if (time > receivedAt + MAX_CLOCK_SKEW_MS) this.#complain(`I6: ${where} is of the future`)
    if (!this.#said.has(`${source} ${symbolId} ${units} ${time}`))
      this.#complain(`${where} was said by nobody: ${line}`)
    const through = this.#settledThrough.get(symbolId) ?? 0
    if (time <= through) this.#complain(`I6: ${where} at ${time} comes after ${through} was settled`)
    this.#all(symbolId).push(tick)
  }

  #all(symbolId: number): LoggedTick[] {
    let all = this.#bySymbol.get(symbolId)
    if (all === undefined) {
      all = []
      this.#bySymbol.set(symbolId, all)
    }
    return all
  }

  /** Times and sequence numbers ascend together, so one search finds both bounds. */
  #countUntil(symbolId: number, time: number, head: number): number {
    const all = this.#all(symbolId)
    let [low, high] = [0, all.length]
    while (low < high) {
      const middle = (low + high) >> 1
      const tick = all[middle]
      if (tick !== undefined && tick.time <= time && tick.seq <= head) low = middle + 1
      else high = middle
    }
    return low
  }
}

function isSame(a: Uint8Array, b: Uint8Array): boolean {
  return Buffer.compare(a, b) === 0
}
