/**
 * The maximum number of ranges kept for a product whose ids have gaps. The trades of a busy product fill 512 ranges
 * within some minutes.
 */
const MAX_STRETCHES = 512

interface Stretch {
  readonly from: bigint | number
  until: bigint | number
}

/**
 * The ids of a symbol's reported trades, stored as gapless ranges. Distinguishes a repeated trade from a late one. After some ranges were
 * dropped, ids below the oldest remaining range count as reported.
 */
export class ReportedIds {
  readonly #stretches: Stretch[] = []
  #hasForgotten = false

  /** Adds an id that is greater than all earlier ids. `isNext`: the id directly follows the highest of them. */
  addNewest(id: bigint | number, isNext: boolean): void {
    const last = this.#stretches.at(-1)
    if (isNext && last !== undefined) last.until = id
    else this.#stretches.push({ from: id, until: id })
    if (this.#stretches.length <= MAX_STRETCHES) return
    this.#stretches.shift()
    this.#hasForgotten = true
  }

  /** Adds an id that is not greater than all earlier ids. Returns whether it was reported before. */
  addLate(id: bigint | number): boolean {
    const place = this.#stretches.findLastIndex(({ from }) => from <= id)
    const before = this.#stretches[place]
    if (before === undefined ? this.#hasForgotten : id <= before.until) return true
    this.#stretches.splice(place + 1, 0, { from: id, until: id })
    return false
  }

  /** Forgets all ids, because the provider's ids begin again. */
  clear(): void {
    this.#stretches.length = 0
    this.#hasForgotten = false
  }
}
