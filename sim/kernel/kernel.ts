interface Event {
  readonly time: number
  readonly order: number
  run: (() => void) | null
}

/**
 * Time that is made up: a heap of what is to happen. One thing happens, everything that follows from it without waiting
 * follows, then the next thing happens. The order of promises is fixed by the language, so a seed decides all of it.
 */
export class Kernel {
  #now = 0
  #made = 0
  readonly #heap: Event[] = []
  #outside = 0
  #answered: () => void = () => {}

  /** Milliseconds since the beginning. */
  get now(): number {
    return this.#now
  }

  /** Lets something happen after `ms`; the answer takes it back. */
  after(ms: number, run: () => void): () => void {
    const event: Event = { time: this.#now + Math.max(0, Math.ceil(ms)), order: this.#made, run }
    this.#made += 1
    push(this.#heap, event)
    return () => {
      event.run = null
    }
  }

  sleep(ms: number): Promise<void> {
    return new Promise((resolve) => this.after(ms, resolve))
  }

  /** Lets all happen that is due until then. */
  async runUntil(time: number): Promise<void> {
    await this.#quiet()
    for (let event = this.#heap[0]; event !== undefined && event.time <= time; event = this.#heap[0]) {
      pop(this.#heap)
      if (event.run === null) continue
      this.#now = Math.max(this.#now, event.time)
      event.run()
      await this.#quiet()
    }
    this.#now = Math.max(this.#now, time)
  }

  /** Something of the real world is waited for: made-up time stands still until it answers. */
  async outside<T>(work: () => Promise<T>): Promise<T> {
    this.#outside += 1
    try {
      return await work()
    } finally {
      this.#outside -= 1
      this.#answered()
    }
  }

  async #quiet(): Promise<void> {
    await turn()
    while (this.#outside > 0) {
      await new Promise<void>((resolve) => {
        this.#answered = resolve
      })
      await turn()
    }
  }
}

/**
 * All promises that can go on have gone on when this one does: what waits for the next tick runs only when no promise is
 * left to go on. Ten times as quick as a turn of the event loop.
 */
function turn(): Promise<void> {
  return new Promise((resolve) => {
    process.nextTick(resolve)
  })
}

function isBefore(a: Event, b: Event): boolean {
  return a.time < b.time || (a.time === b.time && a.order < b.order)
}

function push(heap: Event[], event: Event): void {
  let at = heap.push(event) - 1
  while (at > 0) {
    const parent = (at - 1) >> 1
    const above = heap[parent]
    if (above === undefined || !isBefore(event, above)) break
    heap[at] = above
    at = parent
  }
  heap[at] = event
}

function pop(heap: Event[]): void {
  const last = heap.pop()
  if (last === undefined || heap.length === 0) return
  let at = 0
  for (;;) {
    const left = at * 2 + 1
    const [one, other] = [heap[left], heap[left + 1]]
    if (one === undefined) break
    const isRight = other !== undefined && isBefore(other, one)
    const smaller = isRight ? other : one
    if (!isBefore(smaller, last)) break
    heap[at] = smaller
    at = isRight ? left + 1 : left
  }
  heap[at] = last
}
