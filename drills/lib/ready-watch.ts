import { setTimeout as pause } from 'node:timers/promises'

const ASK_EVERY_MS = 100
/**
 * 1 s, far longer than the interval between two orders. After a longer pause, earlier orders say nothing about the
 * present.
 */
const PAUSE_MS = 1_000

/** Compares `/readyz` with the facts, and reports the longest continuous times of wrong replies. */
export interface ReadyReport {
  /** `/readyz` reported ready while no order was accepted. */
  readonly falselyReadyMs: number
  /** `/readyz` reported not ready while orders were accepted. */
  readonly falselyNotReadyMs: number
}

/** Polls `/readyz` ten times a second and compares the reply with the acknowledged orders. */
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
    /**
     * `idleSince`: the start of the current span without accepted orders. `readySince`: the start of the current span
     * of ready replies, null after another reply.
     */
    let idleSince = performance.now()
    let readySince: number | null = null
    /** The first and last of consecutive orders that were accepted while `/readyz` reported not ready. */
    let acceptedSpan: { first: number; last: number } | null = null
    while (!this.#isOver) {
      const isReady = await this.#ask()
      const now = performance.now()
      const acknowledged = this.#acknowledged()
      const takes = acknowledged > seen
      seen = acknowledged
      if (takes) idleSince = now
      readySince = isReady ? (readySince ?? now) : null
      if (isReady) acceptedSpan = null
      if (readySince !== null) {
        this.#falselyReadyMs = Math.max(this.#falselyReadyMs, now - Math.max(readySince, idleSince))
      }
      if (!isReady && takes) {
        acceptedSpan = {
          first: acceptedSpan !== null && now - acceptedSpan.last < PAUSE_MS ? acceptedSpan.first : now,
          last: now,
        }
        this.#falselyNotReadyMs = Math.max(this.#falselyNotReadyMs, now - acceptedSpan.first)
      }
      await pause(ASK_EVERY_MS)
    }
  }

  async #ask(): Promise<boolean> {
    const answer = await fetch(`${this.#address}/readyz`, { signal: AbortSignal.timeout(2_000) }).catch(() => null)
    return answer?.ok ?? false
  }
}
