import { groupText, type PriceGroup } from '#core/orders/rules/price-group.ts'
import { type Instant, instant } from '#core/time/instant.ts'

/** Identifies the orders of one symbol and group that expire at the same instant. They share one settlement price. */
export interface DueKey {
  readonly symbolId: number
  readonly expiresAt: Instant
  /** Absent under rule 1, where one price settles all orders of a symbol and expiry. */
  readonly group?: PriceGroup | undefined
}

export function dueKeyText({ symbolId, expiresAt, group }: DueKey): string {
  return group === undefined ? `${symbolId} ${expiresAt}` : `${symbolId} ${expiresAt} ${groupText(group)}`
}

/**
 * The expiries of one symbol and group have their own heap. Groups are numbered in the order in which they are first
 * seen.
 */
export type DueSeries = Pick<DueKey, 'symbolId' | 'group'>

/** Time span of one slot of the wheel: a little more than a minute. */
const SPAN_MS = 65_536
/**
 * 4,096 slots cover three days. A later expiry shares a slot with nearer expiries and stays there when these are
 * removed.
 */
const SLOTS = 4_096
const NONE = -1

/**
 * An index of the coming expiries of each series (symbol and group). The rows of `open_order` decide what is due, and
 * at a start the index is rebuilt from them. Distant expiries lie unsorted in a hashed timing wheel, where adding one
 * costs next to nothing. When a caller asks for expiries up to a moment, the expiries of earlier slots move to a binary
 * heap for each series. An expiry may be stored more than once but is returned once.
 */
export class DueIndex {
  readonly #near = new Map<number, Instant[]>()
  /** The number of the first time span whose expiries are still in the wheel. Earlier expiries are in the heaps. */
  #nearUntil = 0
  /**
   * The wheel consists of linked lists: `#first` has the first entry of each slot, and `#next` the following entry.
   * `#expiry` and `#seriesOf` have the expiry and the series number of each entry.
   */
  readonly #first = new Int32Array(SLOTS).fill(NONE)
  #next = new Int32Array(1_024)
  #expiry = new Float64Array(1_024)
  #seriesOf = new Int32Array(1_024)
  /**
   * `#free` is the first entry of the list of free entries, which `#next` links. `#used` is the number of entries that
   * were ever used.
   */
  #free = NONE
  #used = 0
  #size = 0
  readonly #series: DueSeries[] = []
  readonly #numbers = new Map<number | string, number>()

  /** The number of stored expiries. An expiry that was added twice may count twice. */
  get size(): number {
    return this.#size
  }

  add(key: DueKey): void {
    const number = this.#numberOf(key)
    const { expiresAt } = key
    const span = Math.floor(expiresAt / SPAN_MS)
    if (span < this.#nearUntil) this.#addNear(number, expiresAt)
    else this.#addFar(span % SLOTS, number, expiresAt)
  }

  /** Removes and returns, soonest first, at most `limit` expiries of a series before `until`. */
  takeBefore(series: DueSeries, until: Instant, limit = Number.POSITIVE_INFINITY): DueKey[] {
    this.#bringNear(until)
    const heap = this.#near.get(this.#numberOf(series))
    const due: DueKey[] = []
    for (;;) {
      const soonest = heap?.[0]
      if (heap === undefined || soonest === undefined || soonest >= until) return due
      const isRepeat = due.at(-1)?.expiresAt === soonest
      if (!isRepeat && due.length === limit) return due
      pop(heap)
      this.#size -= 1
      if (!isRepeat) due.push({ ...series, expiresAt: soonest })
    }
  }

  /** Removes duplicates. Call it after adding all open expiries again. */
  forgetRepeats(): void {
    for (const [number, heap] of this.#near) {
      // A sorted array is a valid heap too.
      const once = [...new Set(heap)].toSorted((a, b) => a - b)
      this.#near.set(number, once)
      this.#size += once.length - heap.length
    }
    for (let slot = 0; slot < SLOTS; slot += 1) {
      const once = new Map(this.#takeSlot(slot).map((entry) => [`${entry.number} ${entry.expiresAt}`, entry]))
      for (const { number, expiresAt } of once.values()) this.#addFar(slot, number, expiresAt)
    }
  }

  series(): readonly DueSeries[] {
    return this.#series
  }

  #numberOf({ symbolId, group }: DueSeries): number {
    const name = group === undefined ? symbolId : `${symbolId} ${groupText(group)}`
    const known = this.#numbers.get(name)
    if (known !== undefined) return known
    this.#numbers.set(name, this.#series.length)
    this.#series.push(group === undefined ? { symbolId } : { symbolId, group })
    return this.#series.length - 1
  }

  #addNear(number: number, expiresAt: Instant): void {
    const heap = this.#near.get(number)
    if (heap === undefined) this.#near.set(number, [expiresAt])
    // Orders with the same expiry usually arrive one after another, so comparing with the last entry avoids most
    // duplicates.
    else if (heap[heap.length - 1] !== expiresAt) push(heap, expiresAt)
    else return
    this.#size += 1
  }

  #addFar(slot: number, number: number, expiresAt: Instant): void {
    const first = this.#first[slot] ?? NONE
    if (first !== NONE && this.#expiry[first] === expiresAt && this.#seriesOf[first] === number) return
    let at = this.#free
    if (at === NONE) {
      at = this.#used
      this.#used += 1
      if (at === this.#next.length) this.#grow()
    } else {
      this.#free = this.#next[at] ?? NONE
    }
    this.#expiry[at] = expiresAt
    this.#seriesOf[at] = number
    this.#next[at] = first
    this.#first[slot] = at
    this.#size += 1
  }

  #grow(): void {
    const [next, expiry, series] = [this.#next, this.#expiry, this.#seriesOf]
    const length = 2 * next.length
    this.#next = new Int32Array(length)
    this.#expiry = new Float64Array(length)
    this.#seriesOf = new Int32Array(length)
    this.#next.set(next)
    this.#expiry.set(expiry)
    this.#seriesOf.set(series)
  }

  #bringNear(until: Instant): void {
    const end = Math.floor(until / SPAN_MS) + 1
    const from = Math.max(this.#nearUntil, end - SLOTS)
    if (end <= this.#nearUntil) return
    this.#nearUntil = end
    for (let span = from; span < end; span += 1) {
      const slot = span % SLOTS
      for (const { number, expiresAt } of this.#takeSlot(slot)) {
        if (expiresAt < end * SPAN_MS) this.#addNear(number, expiresAt)
        else this.#addFar(slot, number, expiresAt)
      }
    }
  }

  /** Empties a slot and returns its entries. */
  #takeSlot(slot: number): { readonly number: number; readonly expiresAt: Instant }[] {
    const entries: { readonly number: number; readonly expiresAt: Instant }[] = []
    let at = this.#first[slot] ?? NONE
    this.#first[slot] = NONE
    while (at !== NONE) {
      entries.push({ number: this.#seriesOf[at] ?? 0, expiresAt: instant(this.#expiry[at] ?? 0) })
      const next = this.#next[at] ?? NONE
      this.#next[at] = this.#free
      this.#free = at
      at = next
    }
    this.#size -= entries.length
    return entries
  }
}

function push(heap: Instant[], value: Instant): void {
  let at = heap.push(value) - 1
  while (at > 0) {
    const parent = (at - 1) >> 1
    const above = heap[parent]
    if (above === undefined || above <= value) break
    heap[at] = above
    at = parent
  }
  heap[at] = value
}

function pop(heap: Instant[]): Instant {
  const [top] = heap
  const last = heap.pop()
  if (top === undefined || last === undefined) throw new Error('an empty heap has no top')
  if (heap.length === 0) return top
  let at = 0
  for (;;) {
    let child = 2 * at + 1
    const left = heap[child]
    const right = heap[child + 1]
    if (left === undefined) break
    if (right !== undefined && right < left) child += 1
    const smaller = right !== undefined && right < left ? right : left
    if (smaller >= last) break
    heap[at] = smaller
    at = child
  }
  heap[at] = last
  return top
}
