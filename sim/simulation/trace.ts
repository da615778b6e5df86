import { hashText } from '../kernel/random.ts'

const MAX_LINES = 200

/** A trace of short lines. Stores only the last lines, but `hash` covers all of them. */
export class Trace {
  readonly #now: () => number
  readonly #print: ((line: string) => void) | null
  readonly #lines: string[] = []
  #low = 0x811c9dc5
  #high = 0x01000193
  #count = 0

  constructor(now: () => number, print: ((line: string) => void) | null) {
    this.#now = now
    this.#print = print
  }

  say(what: string): void {
    const line = `${(this.#now() / 1_000).toFixed(3).padStart(8)} ${what}`
    this.#low = hashText(line, this.#low)
    this.#high = hashText(line, this.#high ^ this.#count)
    this.#count += 1
    this.#lines.push(line)
    if (this.#lines.length > MAX_LINES * 2) this.#lines.splice(0, MAX_LINES)
    this.#print?.(line)
  }

  get last(): readonly string[] {
    return this.#lines.slice(-MAX_LINES)
  }

  /** The hash of all lines so far. Two runs that differ anywhere have different hashes. */
  get hash(): string {
    return [this.#low, this.#high].map((part) => (part >>> 0).toString(16).padStart(8, '0')).join('')
  }
}
