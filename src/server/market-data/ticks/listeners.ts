import type { Log } from '#server/platform/runtime/ports.ts'

/** Functions that receive each value of one kind. A function that throws does not prevent the other calls. */
export class Listeners<T> {
  readonly #log: Log
  readonly #functions = new Set<(value: T) => void>()

  constructor(log: Log) {
    this.#log = log
  }

  /** Adds a listener. The returned function removes it. */
  subscribe(listener: (value: T) => void): () => void {
    this.#functions.add(listener)
    return () => {
      this.#functions.delete(listener)
    }
  }

  notify(value: T): void {
    for (const listener of this.#functions) {
      try {
        listener(value)
      } catch (error) {
        this.#log.error({ err: error }, 'a price listener failed')
      }
    }
  }
}
