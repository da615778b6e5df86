interface Event {
  readonly time: number
  readonly order: number
  run: (() => void) | null
}

/**
 * Virtual time: a heap of future events. After each event, everything that follows from it without waiting runs. Then
 * the next event runs. The language fixes the order of promises, so a seed determines the whole run.
 */
export class Kernel {
  #now = 0
  #eventCount = 0
  readonly #heap: Event[] = []
  #outside = 0
  #answered: () => void = () => {}

  /** Milliseconds since the start of the run. */
  get now(): number {
    return this.#now
  }

  /** Schedules an event after `ms`. The returned function cancels it. */
  after(ms: number, run: () => void): () => void {
    const event: Event = { time: this.#now + Math.max(0, Math.ceil(ms)), order: this.#eventCount, run }
    this.#eventCount += 1
    push(this.#heap, event)
    return () => {
      event.run = null
    }
  }

  sleep(ms: number): Promise<void> {
    return new Promise((resolve) => this.after(ms, resolve))
  }

  /** Runs all events that are due up to this time. */
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

  /** Runs real asynchronous work. Virtual time stands still until it resolves. */
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
 * Resolves after all runnable promises have continued: `nextTick` callbacks run only when no promise is runnable. Ten
 * times as fast as a turn of the event loop.
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
