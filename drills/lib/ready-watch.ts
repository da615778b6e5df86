import { setTimeout as pause } from 'node:timers/promises'

const ASK_EVERY_MS = 100
/** Orders come much faster. After a longer pause those that were taken before say nothing of now. */
const PAUSE_MS = 1_000

/** What `/readyz` said against what was so: how long it was wrong at a stretch, at most. */
export interface ReadyReport {
  /** It said ready, and no order was taken. */
  readonly falselyReadyMs: number
  /** It said not ready, and orders were taken. */
  readonly falselyNotReadyMs: number
}

/** Asks a server whether it is ready, ten times a second, and compares that with orders being taken. */
export class ReadyWatch {
  readonly #address: string
  readonly #acknowledged: () => number
  #falselyReadyMs = 0
  #falselyNotReadyMs = 0
  #isOver = false
  readonly #watching: Promise<void>

  constructor(address: string, acknowledged: () => number) {
    this.#address = address
    this.#acknowledged = acknowledged
    this.#watching = this.#watch()
  }

  async stop(): Promise<ReadyReport> {
    this.#isOver = true
    await this.#watching
    return { falselyReadyMs: this.#falselyReadyMs, falselyNotReadyMs: this.#falselyNotReadyMs }
  }

  async #watch(): Promise<void> {
    let seen = this.#acknowledged()
    /** Since when it says the same without, or with, orders. */
    let idleSince = performance.now()
    let readySince: number | null = null
    /** The first and the last of orders that were taken one after the other while it said that it is not ready. */
    let taken: { first: number; last: number } | null = null
    while (!this.#isOver) {
      const isReady = await this.#ask()
      const now = performance.now()
      const acknowledged = this.#acknowledged()
      const takes = acknowledged > seen
      seen = acknowledged
      if (takes) idleSince = now
      readySince = isReady ? (readySince ?? now) : null
      if (isReady) taken = null
      if (readySince !== null) {
        this.#falselyReadyMs = Math.max(this.#falselyReadyMs, now - Math.max(readySince, idleSince))
      }
      if (!isReady && takes) {
        taken = { first: taken !== null && now - taken.last < PAUSE_MS ? taken.first : now, last: now }
        this.#falselyNotReadyMs = Math.max(this.#falselyNotReadyMs, now - taken.first)
      }
      await pause(ASK_EVERY_MS)
    }
  }

  async #ask(): Promise<boolean> {
    const answer = await fetch(`${this.#address}/readyz`, { signal: AbortSignal.timeout(2_000) }).catch(() => null)
    return answer?.ok ?? false
  }
}
