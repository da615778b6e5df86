import type { Instant } from '#core/time/instant.ts'

/** All orders of one symbol that expire at the same instant: they share one settlement price. */
export interface DueKey {
  readonly symbolId: number
  readonly expiresAt: Instant
}

export function dueKeyText({ symbolId, expiresAt }: DueKey): string {
  return `${symbolId} ${expiresAt}`
}

/**
 * Which expiries are coming, per symbol, soonest first: a binary heap each. Only an index: the rows of `open_order` are
 * the timers, and it is rebuilt from them at start.
 */
export class DueIndex {
  readonly #heaps = new Map<number, Instant[]>()
  readonly #known = new Set<string>()

  get size(): number {
    return this.#known.size
  }

  add(due: DueKey): void {
    const { symbolId, expiresAt } = due
    const key = dueKeyText(due)
    if (this.#known.has(key)) return
    this.#known.add(key)
    const heap = this.#heaps.get(symbolId) ?? []
    this.#heaps.set(symbolId, heap)
    push(heap, expiresAt)
  }

  /** Takes out, soonest first, every expiry of a symbol before `until`. */
  takeBefore(symbolId: number, until: Instant): DueKey[] {
    const heap = this.#heaps.get(symbolId)
    const due: DueKey[] = []
    for (;;) {
      const soonest = heap?.[0]
      if (heap === undefined || soonest === undefined || soonest >= until) return due
      pop(heap)
      const key = { symbolId, expiresAt: soonest }
      this.#known.delete(dueKeyText(key))
      due.push(key)
    }
  }

  symbols(): number[] {
    return [...this.#heaps.keys()]
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
