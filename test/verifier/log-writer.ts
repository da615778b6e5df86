import {
  headerLine,
  lateHeaderLine,
  type LeftOut,
  type LogLine,
  noteLine,
  type PlacedLine,
} from '#core/markets/log-text.ts'
import { asciiBytes, fromHex, joinBytes, toHex } from '#core/proof/bytes.ts'
import { type LogBatch, readLines } from '#core/proof/log-evidence.ts'
import type { HeadFacts } from '#core/proof/receipt-facts.ts'
import { sha256 } from '#server/platform/runtime/sha256.ts'

/** A price as a source reported it, before the log gives it a position. */
export type Price = Omit<PlacedLine, 'q' | 'kind' | 'volume'>

/**
 * Writes a tick log in one version of the text format. The hash of each batch covers the hash of the previous batch.
 */
export class LogWriter {
  readonly batches: LogBatch[] = []
  readonly #text: 1 | 2
  readonly #sources: string
  readonly #read: LogLine[] = []
  #lines: string[] = []
  /** The position of the newest line (`#newest`), and of the last line in a written batch (`#end`). */
  #newest: number
  #end: number
  #previous: string

  /** The first line gets the position `after` + 1. */
  constructor({ text, sources, after }: { text: 1 | 2; sources: string; after: number }) {
    this.#text = text
    this.#sources = sources
    this.#newest = after
    this.#end = after
    this.#previous = after === 0 ? '0'.repeat(64) : toHex(sha256(asciiBytes(`before ${after}`)))
  }

  get head(): HeadFacts {
    const last = this.batches.at(-1)
    return { q: last?.last_seq ?? 0, hash: last?.hash ?? '' }
  }

  lines(): readonly LogLine[] {
    return this.#read
  }

  tick(price: Price): void {
    this.#newest += 1
    const line = this.#placed(price)
    this.#lines.push(this.#text === 1 ? line : `t ${line} ${price.ref ?? '-'}`)
  }

  leaveOut(note: LeftOut): void {
    if (this.#text === 2) this.#lines.push(noteLine(note))
  }

  use(symbolId: number, source: string): void {
    if (this.#text === 2) this.#lines.push(noteLine({ kind: 'u', symbolId, source, why: 'start' }))
  }

  /** Writes the lines up to the last tick as a batch. */
  flush(): void {
    const count = this.#lines.findLastIndex((line) => !/^[xu] /.test(line)) + 1
    if (count === 0) return
    const head = this.#text === 1 ? [] : [headerLine(this.#sources)]
    this.#append([...head, ...this.#lines.splice(0, count)])
  }

  /** Writes late evidence as one batch: first the notes about left-out trades, then the prices. */
  late(leftOut: readonly LeftOut[], prices: readonly Price[]): void {
    this.flush()
    const lines = prices.map((price) => {
      this.#newest += 1
      return `e ${this.#placed(price)} ${price.ref ?? '-'}`
    })
    this.#append([lateHeaderLine(this.#sources, 'incident-1'), ...leftOut.map(noteLine), ...lines])
  }

  #placed({ symbolId, price, timeMs, receivedMs, source }: Price): string {
    return `${this.#newest} ${symbolId} ${price} 1000000 ${timeMs} ${receivedMs} ${source}`
  }

  #append(lines: readonly string[]): void {
    const payload = `${lines.join('\n')}\n`
    const hash = toHex(sha256(joinBytes(fromHex(this.#previous), asciiBytes(payload))))
    const places = { first_seq: this.#end + 1, last_seq: this.#newest }
    const batch = { ...places, previous_hash: this.#previous, hash, payload }
    this.batches.push(batch)
    this.#read.push(...readLines([batch]))
    this.#end = this.#newest
    this.#previous = hash
  }
}
