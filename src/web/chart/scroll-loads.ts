/** 2 s: pause after a failure before scrolling requests a page again. */
const PAUSE_MS = 2_000

type Direction = 'older' | 'newer'

/**
 * Lets scrolling start one load per direction at a time, and none for 2 s after a failure. A failed load is stored for
 * `retryFailed`, because the user may wait at the end of the bars without scrolling again.
 */
export class ScrollLoads {
  readonly #now: () => number
  readonly #onLoading: (isLoading: boolean) => void
  readonly #isBusy = { older: false, newer: false }
  readonly #pausedUntil = { older: 0, newer: 0 }
  readonly #failed = new Map<Direction, () => Promise<void>>()

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

  /** Repeats the failed loads without a pause. */
  retryFailed(): void {
    for (const [direction, load] of this.#failed) {
      this.#pausedUntil[direction] = 0
      void this.run(direction, load)
    }
  }

  async run(direction: Direction, load: () => Promise<void>): Promise<void> {
    if (this.#isBusy[direction] || this.isPaused(direction)) return
    this.#isBusy[direction] = true
    this.#onLoading(true)
    try {
      await load()
      this.#failed.delete(direction)
    } catch {
      this.pause(direction)
      this.#failed.set(direction, load)
    } finally {
      this.#isBusy[direction] = false
      this.#onLoading(this.#isBusy.older || this.#isBusy.newer)
    }
  }
}
