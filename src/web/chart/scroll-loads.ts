/** 2 s: pause after a failure before scrolling requests a page again. */
const PAUSE_MS = 2_000

type Direction = 'older' | 'newer'

/** Lets scrolling start one load per direction at a time, and none for a while after a failure. */
export class ScrollLoads {
  readonly #now: () => number
  readonly #onLoading: (isLoading: boolean) => void
  readonly #isBusy = { older: false, newer: false }
  readonly #pausedUntil = { older: 0, newer: 0 }

  constructor(now: () => number, onLoading: (isLoading: boolean) => void) {
    this.#now = now
    this.#onLoading = onLoading
  }

  isPaused(direction: Direction): boolean {
    return this.#now() < this.#pausedUntil[direction]
  }

  pause(direction: Direction): void {
    this.#pausedUntil[direction] = this.#now() + PAUSE_MS
  }

  async run(direction: Direction, load: () => Promise<void>): Promise<void> {
    if (this.#isBusy[direction] || this.isPaused(direction)) return
    this.#isBusy[direction] = true
    this.#onLoading(true)
    try {
      await load()
    } catch {
      this.pause(direction)
    } finally {
      this.#isBusy[direction] = false
      this.#onLoading(this.#isBusy.older || this.#isBusy.newer)
    }
  }
}
