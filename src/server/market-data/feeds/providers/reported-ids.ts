/** Of a product whose ids have holes, so many stretches are remembered: some minutes of a busy one. */
const MAX_STRETCHES = 512

interface Stretch {
  readonly from: bigint | number
  until: bigint | number
}

/**
 * The ids of a symbol's trades that were reported so far, as stretches without a hole: tells a trade that comes again from one
 * that comes late. Ids below the oldest stretch that is remembered count as reported once some were forgotten.
 */
export class ReportedIds {
  readonly #stretches: Stretch[] = []
  #hasForgotten = false

  /** Takes an id above all before it; `isNext` when it is the one after the highest. */
  addNewest(id: bigint | number, isNext: boolean): void {
    const last = this.#stretches.at(-1)
    if (isNext && last !== undefined) last.until = id
    else this.#stretches.push({ from: id, until: id })
    if (this.#stretches.length <= MAX_STRETCHES) return
    this.#stretches.shift()
    this.#hasForgotten = true
  }

  /** Takes an id that is not above all before it, and answers whether it was reported before. */
  addLate(id: bigint | number): boolean {
    const place = this.#stretches.findLastIndex(({ from }) => from <= id)
    const before = this.#stretches[place]
    if (before === undefined ? this.#hasForgotten : id <= before.until) return true
    this.#stretches.splice(place + 1, 0, { from: id, until: id })
    return false
  }

  /** Ids begin anew. */
  clear(): void {
    this.#stretches.length = 0
    this.#hasForgotten = false
  }
}
